import CoreData
import CoreDataBrowser
import StoreContract
import TestBasics
import Testing

@Suite("Numbers that a store would change")
struct KeptNumberTests {
    private func tab(_ kind: StoreKind) throws -> (EditingTab, String) {
        let builder = ModelBuilder()
        builder.entity("Thing", ["price": .decimalAttributeType, "real": .doubleAttributeType])
        let stack = try Stack(builder.model, kind: kind)
        let thing = stack.context.insert("Thing", ["real": 2.5])
        try stack.context.save()
        return (EditingTab(stack), thing.objectID.shortText)
    }

    private static func set(_ thing: String, _ key: String, _ json: String) -> String {
        #"{"do": "set", "object": "\#(thing)", "key": "\#(key)", "value": \#(json)}"#
    }

    @Test("a number that SQLite would change or drop is refused when it is staged, and when it is checked (BRW-18)")
    func numberThatSQLiteWouldChangeOrDropIsRefusedWhenItIsStaged() async throws {
        let (tab, thing) = try tab(.sqlite)
        let cases = [
            ("price", #""0.12345678901234567""#, "0.123456789012346"), ("price", "12345678901234567890", "15 digits"),
            ("real", #""NaN""#, "NaN"),
        ]
        for (key, json, reason) in cases {
            let error = try await tab.stage(Self.set(thing, key, json), status: 422)["error"]
            #expect(error["code"].text == "badValue" && error["reason"].text?.contains(reason) == true)
            let check = try await tab.ask(
                "POST", "edits/check", #"{"object": "\#(thing)", "key": "\#(key)", "value": \#(json)}"#)
            #expect(check["problems"][0]["text"].text?.contains(reason) == true)
        }
        #expect(try await tab.edits()["count"].number == 0)
    }

    @Test("what a store keeps is staged: 15 digits, integers of 64 bits, NaN of a Decimal, infinity (BRW-18)")
    func whatStoreKeepsIsStaged() async throws {
        let (tab, thing) = try tab(.sqlite)
        for (key, json) in [
            ("price", #""0.123456789012346""#), ("price", "9223372036854775807"), ("price", #""NaN""#),
            ("real", #""Infinity""#), ("price", "1200000000000000000000"),
        ] {
            try await tab.stage(Self.set(thing, key, json))
        }
        try await tab.save()
    }

    @Test("stores that keep all digits and NaN take them (BRW-18)", arguments: [StoreKind.xml, .binary, .inMemory])
    func storesThatKeepAllDigitsAndNaNTakeThem(_ kind: StoreKind) async throws {
        let (tab, thing) = try tab(kind)
        try await tab.stage(Self.set(thing, "price", #""0.12345678901234567""#), Self.set(thing, "real", #""NaN""#))
        try await tab.save()
    }
}
