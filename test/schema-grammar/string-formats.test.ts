import { describe, expect, it } from "vitest";
import { createMatcher } from "../../src/gbnf-builder/matcher.ts";
import { compileSchema } from "../../src/schema-grammar/compile-schema.ts";
import { emitString } from "../../src/schema-grammar/emit-strings.ts";
import { stringsOfFormat } from "../../src/schema-grammar/string-formats.ts";
import { containsString, noString } from "../../src/schema-grammar/string-language.ts";
import { createValidator } from "../../src/schema-grammar/validator.ts";
import { grammarOf, repeatableRandom, sampleTexts } from "./sample-texts.ts";

interface FormatCase {
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
}

// Examples of the RFCs, and by hand.
const cases: Record<string, FormatCase> = {
  date: {
    accepted: ["1985-04-12", "2024-02-29", "2000-02-29", "0000-02-29", "9999-12-31", "2023-04-30"],
    refused: [
      "1900-02-29",
      "2023-02-29",
      "2023-04-31",
      "2023-13-01",
      "2023-00-10",
      "2023-1-1",
      "23-01-01",
      "",
    ],
  },
  time: {
    accepted: [
      "23:20:50.52Z",
      "16:39:57-08:00",
      "00:00:00z",
      "23:59:60Z",
      "12:00:27.87+00:20",
      "23:59:60.5+00:00",
      "01:29:60+01:30",
      "23:29:60.25+23:30",
      "15:59:60-08:00",
      "00:29:60-23:30",
      "05:44:60+05:45",
      "00:00:00.5-00:00",
    ],
    refused: [
      "22:59:60Z",
      "23:58:60Z",
      "23:59:60+01:00",
      "23:59:60-00:30",
      "15:59:60+08:00",
      "01:29:60Z",
      "24:00:00Z",
      "12:60:00Z",
      "12:00:60Z",
      "12:00:00",
      "12:00Z",
      "12:00:00.Z",
      "12:00:00+24:00",
    ],
  },
  "date-time": {
    accepted: [
      "1985-04-12T23:20:50.52Z",
      "1996-12-19T16:39:57-08:00",
      "1990-12-31T23:59:60Z",
      "1998-12-31T15:59:60.123-08:00",
      "1999-01-01t09:29:60+09:30",
      "1937-01-01T12:00:27.87+00:20",
      "2024-02-29t00:00:00z",
    ],
    refused: [
      "1985-04-12",
      "1985-04-12T23:20",
      "2023-02-29T00:00:00Z",
      "1985-04-12T23:20:50",
      "1985-04-12TT23:20:50Z",
      "1998-12-31T22:59:60Z",
      "2016-12-31T24:59:60+01:00",
    ],
  },
  duration: {
    accepted: ["P1Y2M3D", "PT1H30M", "P3W", "P1DT12H", "PT0S", "P1M", "PT36H", "P4Y"],
    refused: ["P", "PT", "P1YT", "1Y", "P1H", "PT1D", "P1W2D", "P2D1Y", "P-1Y", "PT1.5S", "p1y"],
  },
  email: {
    accepted: [
      "a@b.co",
      "first.last@example.com",
      "a+b@sub.example.org",
      "!#$%&'*+/=?^_`{|}~-@a.b",
      "te.s.t@e.io",
      "a@localhost",
      '"joe bloggs"@example.com',
      '"a@\\"..\\\\"@b.co',
      '""@b.co',
      "a@[127.0.0.1]",
      "a@[010.0.000.255]",
      "a@[IPv6:::1]",
      "a@[ipv6:1:2:3:4:5:6::]",
      "a@[IPv6:1:2:3:4:5:6:7.8.9.10]",
    ],
    refused: [
      '"a"b"@b.co',
      '"a\\"@b.co',
      '"ü"@b.co',
      "a@[256.0.0.1]",
      "a@[1.2.3]",
      "a@[IPv6:1:2:3:4:5:6:7::]",
      "a@[::1]",
      "a@[x-tag:text]",
      "a@b.",
      "@b.co",
      "a@",
      "a.@b.co",
      ".a@b.co",
      "a..b@c.co",
      "a b@c.co",
      "a@-b.co",
      "a@b..co",
      "ü@b.co",
    ],
  },
  "idn-email": {
    accepted: ["실례@실례.테스트", "a@b.co", "ü@localhost", '"a b"@example.com'],
    refused: ["2962", "@b", "a@", "a b@c"],
  },
  hostname: {
    accepted: ["localhost", "www.example.com", "xn--4gbwdl.xn--wgbh1c", "1.a", `${"a".repeat(63)}.b`],
    refused: ["", "-a", "a-", "a_b", "a..b", ".a", `${"a".repeat(64)}.b`, "실례"],
  },
  "idn-hostname": {
    accepted: ["실례.테스트", "example.com", "a。b"],
    refused: ["", "-a", "a-", "a..b", "a b"],
  },
  ipv4: {
    accepted: ["192.168.0.1", "0.0.0.0", "255.255.255.255", "127.0.0.1"],
    refused: ["256.1.1.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.04", "1.2.3.", "a.b.c.d", "1.2.3.4/24"],
  },
  ipv6: {
    accepted: [
      "::",
      "::1",
      "2001:db8::8:800:200c:417a",
      "FF01::101",
      "1:2:3:4:5:6:7:8",
      "1:2:3:4:5:6:7::",
      "::2:3:4:5:6:7:8",
      "::ffff:129.144.52.38",
      "1:2:3:4:5:6:1.2.3.4",
      "1::3:4:5:6:1.2.3.4",
    ],
    refused: [
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "1::2::3",
      "12345::",
      ":1",
      "1:",
      "::1.2.3",
      "fe80::1%eth0",
      "",
    ],
  },
  uri: {
    accepted: [
      "ftp://ftp.is.co.za/rfc/rfc1808.txt",
      "http://www.ietf.org/rfc/rfc2396.txt",
      "ldap://[2001:db8::7]/c=GB?objectClass?one",
      "mailto:John.Doe@example.com",
      "news:comp.infosystems.www.servers.unix",
      "tel:+1-816-555-1212",
      "telnet://192.0.2.16:80/",
      "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
      "http://a@b:8080/c%20d?e=f#g",
      "file:///etc/hosts",
    ],
    refused: [
      "//a/b",
      "/a",
      "a",
      "http:// a",
      "http://a/\\b",
      "1http://a",
      "http://a/%zz",
      "http://[::1",
      "a b",
      "http://ü",
    ],
  },
  "uri-reference": {
    accepted: ["http://a/b", "//a/b", "/a/b", "a/b", "?q", "#f", "", "../a", "./a:b", "mailto:a@b"],
    refused: ["\\a", "a b", "#a#b", "a\\b", "http://a/%"],
  },
  iri: {
    accepted: ["http://ƒøø.ßår/?∂éœ=πîx#πîüx", "http://example.com/ü", "urn:é", "mailto:"],
    refused: ["/a", "http://a b", "\\\\a", "http://a/%g0"],
  },
  "iri-reference": {
    accepted: ["/ü", "#ƒrägmênt", "", "http://ä/"],
    refused: ["\\ü", "a b"],
  },
  "uri-template": {
    accepted: [
      "http://a/{b}",
      "{+path}/here",
      "{?x,y}",
      "{/list*}",
      "{var:30}",
      "a%20b",
      "",
      "{%20}",
      "ü",
      "{a.b.c}",
      "a'b",
    ],
    refused: [
      "{",
      "}",
      "{}",
      "{a",
      "{a,}",
      "{var:0}",
      "{var:30000}",
      "a b",
      "{-a}",
      "%2",
      "{a..b}",
      "{.a.}",
      '"',
    ],
  },
  uuid: {
    accepted: ["f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"],
    refused: [
      "f81d4fae7dec11d0a76500a0c91e6bf6",
      "f81d4fae-7dec-11d0-a765-00a0c91e6bf",
      "g81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    ],
  },
  "json-pointer": {
    accepted: ["", "/foo", "/foo/0", "/", "/a~1b", "/m~0n", "/ ", "/ü//"],
    refused: ["foo", "/~", "/~2", "#/foo", "a/b"],
  },
  "relative-json-pointer": {
    accepted: ["0", "1/0", "2/highly/nested/objects", "0#", "12/~0"],
    refused: ["", "/a", "01", "-1", "0#/a", "1~"],
  },
  regex: {
    accepted: ["", "^a+$", "(a|b)*?", "[a-z]{2,3}", "\\d", "(?=x)y", "[(]", "((((deep))))", "]", "(?<n>a)"],
    refused: ["*", "(", "a)", "[", "\\", "a**", "^(abc]"],
  },
  byte: {
    accepted: ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYmFy"],
    refused: ["Z", "Zg", "Zg=", "Zm9vYg", "Zm9v ", "Zm-_"],
  },
};

describe.each(Object.entries(cases))("format %s", (name, { accepted, refused }) => {
  const language = stringsOfFormat(name)?.language ?? noString;
  const validate = createValidator({ type: "string", format: name });
  // OpenAPI's name, which JSON Schema does not know: an annotation to the validator and to the compiler.
  const isChecked = name !== "byte";

  it("accepts its examples and refuses what is none", () => {
    for (const text of accepted) expect([text, containsString(language, text)]).toEqual([text, true]);
    for (const text of refused) expect([text, containsString(language, text)]).toEqual([text, false]);
  });

  it("agrees with the validator on these", () => {
    for (const text of accepted) expect([text, validate(text)]).toEqual([text, []]);
    for (const text of refused) expect([text, validate(text).length > 0]).toEqual([text, isChecked]);
  });

  it("writes only texts that the validator accepts, and those of the language", () => {
    const grammar = grammarOf((context) => emitString(language, context));
    const texts = sampleTexts(grammar, { count: 120, length: 80, random: repeatableRandom(11) });
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) {
      const value = JSON.parse(text) as string;
      expect([value, containsString(language, value)]).toEqual([value, true]);
      if (name !== "regex") expect([value, validate(value)]).toEqual([value, []]);
    }
    const matcher = createMatcher(grammar);
    for (const text of accepted) expect([text, matcher.accepts(JSON.stringify(text))]).toEqual([text, true]);
  });
});

describe("formats", () => {
  it("refuse what ajv alone allows, because the specification does not", () => {
    const beyond: [format: string, text: string][] = [
      ["date-time", "1985-04-12 23:20:50Z"],
      ["time", "12:00:00+01"],
      ["time", "12:00:00+0100"],
      ["duration", "PT1H1S"],
      ["duration", "P1Y1D"],
      ["hostname", "example.com."],
      ["uuid", "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"],
      ["uri-reference", '/"'],
      ["uri-reference", ":"],
    ];
    for (const [format, text] of beyond) {
      expect(createValidator({ format })(text)).not.toEqual([]);
      expect(containsString(stringsOfFormat(format)?.language ?? noString, text)).toBe(false);
    }
  });

  it("does not know names that are no formats of strings", () => {
    for (const name of ["int32", "double", "phone", "toString", "__proto__", ""]) {
      expect(stringsOfFormat(name)).toBeUndefined();
    }
  });

  it("keep to a length wherever an e-mail address names its host, and say that a numbered one may be longer", () => {
    const { grammar, residual } = compileSchema({ type: "string", format: "email", maxLength: 100 });
    const matcher = createMatcher(grammar);
    expect(matcher.accepts(JSON.stringify(`${"a".repeat(94)}@b.com`))).toBe(true);
    expect(matcher.accepts(JSON.stringify(`${"a".repeat(95)}@b.com`))).toBe(false);
    expect(matcher.accepts('"a@[IPv6:::1]"')).toBe(true);
    expect(residual).toEqual([expect.objectContaining({ keyword: "format", direction: "over" })]);
  });

  it("says which formats it only approximates", () => {
    const loose = Object.keys(cases).filter((name) => stringsOfFormat(name)?.exact === false);
    expect(loose.sort()).toEqual(["hostname", "idn-email", "idn-hostname", "regex"]);
  });
});
