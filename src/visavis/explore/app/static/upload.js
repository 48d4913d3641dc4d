// Documents come in by drag and drop, by the file button, or as the sample.

import { post } from "./api.js";
import { byId } from "./dom.js";

export const watchUploads = ({ begun, sent, fail }) => {
  const zone = byId("drop-zone");
  const send = async (path, body, headers) => {
    begun();
    try {
      await post(path, body, headers);
      sent();
    } catch (error) {
      fail(error);
    }
  };
  const sendFile = (file) => file && send("/api/upload", file,
    { "X-File-Name": encodeURIComponent(file.name), "Content-Type": "application/octet-stream" });
  const canTake = () => !byId("empty").hidden;
  byId("file").addEventListener("change", (event) => { sendFile(event.target.files[0]); event.target.value = ""; });
  byId("sample").addEventListener("click", () => send("/api/sample"));
  addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.toggle("over", canTake());
  });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) zone.classList.remove("over"); });
  addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    if (canTake()) sendFile(event.dataTransfer.files[0]);
  });
};
