import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "Numbers that are typed on the page", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"), .timeLimit(.minutes(3)))
struct NumberFieldTests {
    private static func pages() async throws -> HeroPages {
        let builder = ModelBuilder()
        builder.entity(
            "Thing",
            [
                "title": .stringAttributeType, "small": .integer16AttributeType, "long": .integer64AttributeType,
                "price": .decimalAttributeType, "real": .doubleAttributeType, "short": .floatAttributeType,
            ])
        return try await HeroPages(
            fill: { context in
                context.insert("Thing", ["title": "One", "real": 2.5, "long": 7, "small": 3, "short": Float(1.5)])
            }, model: builder.model)
    }

    @Test("a number that its type does not hold is refused with a reason and never becomes nil (BRW-18)")
    func numberThatItsTypeDoesNotHoldIsRefusedWithReasonAndNever() async throws {
        let pages = try await Self.pages()
        let page = pages.page
        let id = try #require(try pages.stored("Thing", NSPredicate(value: true))).objectID.shortText
        try await pages.go(to: "objects/\(id)")
        let entered: [(key: String, text: String, reason: String)] = [
            ("real", "1e400", "too large"), ("real", "-1e309", "too large"), ("real", "1e-400", "too close to 0"),
            ("real", "0.12345678901234567891", "0.12345678901234568"), ("short", "1e39", "too large"),
            ("short", "16777217", "16777216"), ("long", "9223372036854775808", "9223372036854775807"),
            ("small", "32768", "32767"), ("price", String(repeating: "9", count: 39), "38 digits"),
            ("price", "1e400", "exponent"), ("real", "0x10", "number"), ("real", "1,5,0", "number"),
            ("real", "NaN", "nil"),
            ("price", "0.12345678901234567", "0.123456789012346"),
        ]
        for (key, text, reason) in entered {
            try await pages.enter(text, into: key)
            try await page.wait(
                until: """
                    document.querySelector('[data-field=' + arguments[0] + ']').closest('dd, div:has(> .fieldproblem)')
                        .innerText.includes(arguments[1])
                    """, [.string(key), .string(reason)])
            #expect(try await page.evaluate("return document.querySelectorAll('dd.changed').length").number == 0)
        }
        let thing = try #require(try pages.stored("Thing", NSPredicate(value: true)))
        #expect(thing.value(forKey: "real") as? Double == 2.5 && thing.value(forKey: "long") as? Int64 == 7)
    }

    @Test("what is typed is sent exactly, as a text where a JavaScript number is not exact (BRW-18)")
    func whatIsTypedIsSentExactly() async throws {
        let pages = try await Self.pages()
        let script = """
            const { typedNumber, inexactNumber } = await import('../../assets/base/numbers.js');
            const { api } = await import('../../assets/base/api.js');
            const read = ([type, text]) => { try { return JSON.stringify(typedNumber(type, text)); } catch (e) { return 'refused'; } };
            const sent = await api.post('/nowhere', { value: Infinity }).catch((e) => e.code);
            return [...arguments[0].map((pair) => read(pair.split(' '))), String(inexactNumber('{"a": "9007199254740993", "b": 9007199254740993}')),
                String(inexactNumber('[1.50, -0, 1e3, 9007199254740992]')), sent];
            """
        let cases: [(String, String)] = [
            ("integer64 9007199254740993", "\"9007199254740993\""), ("integer64 +9007199254740991", "9007199254740991"),
            ("integer64 -9223372036854775808", "\"-9223372036854775808\""), ("integer32 2147483648", "refused"),
            ("decimal 0.1234567890123456789", "\"0.1234567890123456789\""), ("decimal 1e127", "\"1e127\""),
            ("double 1.7976931348623157e308", "1.7976931348623157e+308"), ("double 5e-324", "5e-324"),
            ("double 1.50", "1.5"), ("double 123456789012345678", "refused"), ("float 0.1", "0.1"),
            ("float 3.4028235e38", "3.4028235e+38"), ("float 0.123456789", "refused"), ("double .5", "0.5"),
            ("double 0.000", "0"), ("double 100000000000000000000000", "1e+23"),
            ("decimal NaN", "\"NaN\""), ("double Infinity", "\"Infinity\""), ("float -Infinity", "\"-Infinity\""),
            ("double NaN", "\"NaN\""),
            ("float -∞", "\"-Infinity\""), ("integer16 NaN", "refused"), ("decimal Infinity", "refused"),
        ]
        let found = try await pages.page.evaluate(script, [.array(cases.map { .string($0.0) })]).elements.map(\.text)
        #expect(found == cases.map(\.1) + ["9007199254740993", "null", "notFinite"])
    }
}
