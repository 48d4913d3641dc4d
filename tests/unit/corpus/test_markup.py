import pytest
from hypothesis import given
from hypothesis import strategies as st

from visavis.corpus.markup import as_seen, text_as_seen
from visavis.corpus.reading import read_corpus


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Thank the ICE agents &amp; secure the border", "Thank the ICE agents & secure the border"),
        ("it&#39;s &#x2764; &lt;3 &quot;now&quot;&nbsp;!", 'it\'s ❤ <3 "now"\xa0!'),
        ("&amp;amp; stays &amp; once", "&amp; stays & once"),
        ("R&D, AT&T; &copy; &ampersand; a&b", "R&D, AT&T; &copy; &ampersand; a&b"),
        ("no NUL: &#0; &#x00;", "no NUL: &#0; &#x00;"),
    ],
)
def test_signs_are_read_as_a_reader_would_see_them(written, read):
    assert as_seen({"text": written, "other": written}, ["title", "text"]) == {"text": read, "other": written}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("The <b>Senate</b> <a href='http://a.example/x'>passed</a> it", "The Senate passed it"),
        ("<p>One\nline.</p><p>Two<br/>three</p>", "One line.\n\nTwo\nthree"),
        ("kept\nlines with <i>one</i> word\n\nin italics", "kept\nlines with one word\n\nin italics"),
        ("<ul><li>first</li><li>second</li></ul>", "first\nsecond"),
        ("<head><title>T</title></head><nav>Home | About</nav><script>var a = '<p>';</script><P>Said.</P>", "Said."),
        ("<script>never closed <p>shown</p>", "never closed\n\nshown"),
        ("before<!-- a <b>note</b> to the printer --> after <!-- open", "before after <!-- open"),
        ('cut in a tag <a href="http://a.exa', "cut in a tag"),
        ('a href="http://a.example" rel="nofollow"><i class="y">torn</i></a> at both ends</a', "torn at both ends"),
        ('a href="http://a.example">torn at the front alone', "torn at the front alone"),
        ("&lt;p&gt;Spelled &amp;amp; twice&lt;/p&gt;&lt;p&gt;as in feeds&lt;/p&gt;", "Spelled & twice\n\nas in feeds"),
        ("<td>1</td><td>2</td>", "1 2"),
        ("<o:p></o:p>Pasted from a letter", "Pasted from a letter"),
        ("<a title=\"a > b\" href='x' hidden>Said</a><IMG SRC=a.png/>so", "Said so"),
        ("<!DOCTYPE html><html><body><![CDATA[Said]]> &mdash; caf&eacute;</body></html>", "Said — café"),
        ("x <script>alert(1)</script>y <style>p {}</style>z", "x y z"),
        *((f"<p>a</p><{name}>gone</{name}><p>b</p>", "a\n\nb") for name in ("noscript", "svg", "template", "nav")),
        ("<p>Use &lt;/p&gt; here</p>", "Use </p> here"),
        ("<b>x</b>" + " " * 50_000 + "y", "x" + " " * 50_000 + "y"),
    ],
)
def test_tags_of_pages_are_not_read(written, read):
    assert text_as_seen(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (
            '![A chart](/wp-content/uploads/a_(1).png)Prices [rose](https://a.example/b_(c) "it\'s") again',
            "Prices rose again",
        ),
        ("[![](//a.example/x.png)](//a.example/x.png)\nTwo birthdays", "\nTwo birthdays"),
        (
            "[Lumoid][] and [GitHub][gh] [sic][1]\n\n[lumoid]: http://l.example\n[gh]: http://g.example 'G'\n[1]: /n",
            "Lumoid and GitHub sic\n\n\n\n",
        ),
        (
            'the documentation is [here]({{< mcpan "A" >}}), {% include x.html %}in full',
            "the documentation is here, in full",
        ),
        ('[caption id="a" width="3"]The hall[/caption] was full', "The hall was full"),
        ("see [section [2]](notes.md#2)", "see section [2]"),
        ("❗️**The main news **, and **more**: **[all](http://a.example)**.", "❗️The main news , and more: all."),
        ("这是**重点**内容", "这是重点内容"),
        ("##\tWhat is new", "What is new"),
        ("## What is new\nA bridge.\n\n### And\tmore", "What is new\nA bridge.\n\nAnd\tmore"),
    ],
)
def test_links_and_pictures_of_markdown_are_read_by_their_words(written, read):
    assert text_as_seen(written) == read


@pytest.mark.parametrize(
    "written",
    [
        "a < b and c > d, <3, x<y>z, <https://a.example/b>, List<String>, <ada@a.example>, <Mark> wrote to <Data>",
        "We know that a <b and so on. The theorem follows, and if x > 3 so does the rest.",
        "if (a <b && c> d) return vector<a>, Array<Button>, List<object>; from <time to time, price <p and q",
        "[sic](as he said), [sic](and/or), f[i](2.5), [he](she), [him](U.S.), [2](ibid.), [1] and [2], [a][b]",
        "handlers[name](request.path), d['a'](x.y), a[i][j] = 1\n[note]: see /etc/passwd for more",
        "https://t.co/abc #tag @name ##both # 1 of all",
        "2**3 and 4**5, f**k and s**t, **** it ****, a ** b ** c, **never\nclosed**",
        "х**й и п**ц, (a)**(b) and (c)**(d)",
        "if a <b and c=5",
        "it ends in <b",
        "[video shows the crowd leaving] he said, [audio of the call], [embed with troops], [Video]",
        r"\frac{{a}}{{b}}, title = {{The Great War}}, ${{ secrets.TOKEN }}, '{{}}'.format, { a: {b: 1} }",
        "use <template> in Vue. The story goes on. </template2> closes it, and AT&T; too",
        "",
    ],
)
def test_what_only_looks_like_it_stays_as_it_is(written):
    assert text_as_seen(written) is written


def test_fields_without_any_are_handed_on_as_they_are():
    fields = {"text": "R&D", "title": 3}
    assert as_seen(fields, ["title", "text"]) is fields


def test_a_corpus_has_them_in_titles_and_texts_alone():
    (document,) = read_corpus(
        [
            {
                "id": "a&amp;b",
                "title": "Q&amp;A <i>now</i>",
                "text": "this &amp; [that](http://a.example)",
                "tag": "x&amp;y",
            }
        ]
    ).documents
    assert (document.id, document.title, document.text) == ("a&amp;b", "Q&A now", "this & that")
    assert (document.fields["text"], document.fields["tag"]) == ("this & that", "x&amp;y")


PIECES = (
    "<p>",
    "</p>",
    "<script>",
    "</script",
    "<!--",
    "-->",
    "<a href=",
    ">",
    "[",
    "](",
    ")",
    "!",
    "]: ",
    "http://a",
    " ",
    "\n",
    "x.y",
    "&lt;",
    "&amp;",
    "{{",
    "}}",
    "\\",
    '"',
    "(",
    "**",
    "## ",
)


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_text_is_refused_or_grows(text):
    assert len(text_as_seen(text)) <= 2 * len(text)


@pytest.mark.parametrize(
    "piece",
    [
        *PIECES,
        "[a](",
        "![a](b",
        '[a](b "',
        "<p ",
        "[x [y] ",
        "[a]: ",
        "[a](x(",
        "<script>",
        "[caption ",
        "[a](" + "a" * 70,
    ],
)
def test_long_texts_of_broken_markup_are_read_to_their_end(piece):
    text = piece * (200_000 // len(piece))  # with the square of its length this would take hours
    assert len(text_as_seen(text)) <= 2 * len(text)
