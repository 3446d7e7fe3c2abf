import CoreData
import PostgresKit
import StoreContract
import TestBasics
import TestServers
import Testing

@testable import CoreDataGraph
@testable import CoreDataPostgres
@testable import CoreDataSQL

/// Texts of every script: what the server makes of case, marks, characters and patterns is what memory makes of them.
@MainActor
@Suite("Folding on a server", .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"))
struct FoldedAnswersTests {
    /// Scalars that folding or dividing into characters treats in its own way, among others.
    private static func texts(seed: UInt64) -> [String] {
        var random = SeededRandom(seed: seed)
        let special = ScalarClass.scalars.filter { scalar in
            scalar.properties.changesWhenCaseMapped || scalar.properties.canonicalCombiningClass != .notReordered
                || String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.count > 1
                || scalar.properties.generalCategory == .spacingMark || scalar.properties.isEmoji
        }
        let plain: [Unicode.Scalar] = [
            "a", "S", "s", "k", "i", "\u{301}", "\u{345}", "\u{200D}", "\r", "\n", "\0", "\u{1}",
        ]
        var texts = (0..<300).map { _ in "a\(special[random.next(below: special.count)])s" }
        for _ in 0..<(TestSeed.isExhaustive ? 6_000 : 500) {
            let count = 1 + random.next(below: 5)
            let scalars = (0..<count).map { _ in
                random.next(below: 2) == 0
                    ? plain[random.next(below: plain.count)]
                    : special[random.next(below: special.count)]
            }
            texts.append(String(String.UnicodeScalarView(scalars)))
        }
        return texts
    }

    /// A store of words; with an index, the server is told to use it wherever it can.
    private static func makeStack(isIndexed: Bool) throws -> Stack {
        let builder = ModelBuilder()
        builder.entity("Word", ["text": .stringAttributeType, "number": .integer64AttributeType])
        var place = try PostgresServer.shared.get().makeURL("words").absoluteString
        if isIndexed {
            let text = try #require(builder["Word"].propertiesByName["text"])
            builder["Word"].indexes = [
                NSFetchIndexDescription(
                    name: "byText", elements: [NSFetchIndexElementDescription(property: text, collationType: .binary)])
            ]
            place += "&options=-c%20enable_seqscan%3Doff"
        }
        return try Stack(builder.model, url: try #require(URL(string: place)), kind: .postgreSQL)
    }

    @Test(
        "texts of all scripts compare, sort and match on a server as in memory, by an index too (PRD-08, PRD-13)",
        arguments: [false, true])
    func allScripts(isIndexed: Bool) throws {
        print("CORE_DATA_SEED=\(TestSeed.first)")
        let texts = Self.texts(seed: TestSeed.first)
        let stack = try Self.makeStack(isIndexed: isIndexed)
        for (number, text) in texts.enumerated() {
            _ = stack.context.insert("Word", ["text": text, "number": number])
        }
        try stack.context.save()
        stack.context.reset()
        let options = ["", "[c]", "[d]", "[cd]"]
        var formats: [(String, String)] = []
        for option in options {
            for constant in ["ss", "I", "é", "a\u{345}", "가", "ﬁ", "\u{301}", "a\0"] {
                for sign in ["==", "<", "BEGINSWITH", "CONTAINS"] {
                    formats.append(("text \(sign)\(option) %@", constant))
                }
            }
            formats += ["?", "a?s", "*s", "??", "as*", "É*"].map { ("text LIKE\(option) %@", $0) }
            formats += ["\\w+", "a.s", "[a-k]+"].map { ("text MATCHES\(option) %@", $0) }
        }
        var differences: [String] = []
        for (format, argument) in formats {
            let predicate = try NSPredicate(parsing: format, arguments: [argument])
            let request = NSFetchRequest<NSDictionary>(entityName: "Word")
            request.predicate = predicate
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["number"]
            let found = Set(try stack.context.fetch(request).compactMap { $0["number"] as? Int })
            let expected = Set(
                try texts.indices.filter { try predicate.evaluation(with: ["text": texts[$0]] as NSDictionary) })
            if found == expected { continue }
            let wrong = found.symmetricDifference(expected).sorted().prefix(3).map { number in
                texts[number].unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
            }
            differences.append("\(format) \(argument): \(found.count) for \(expected.count), \(wrong)")
        }
        #expect(differences.isEmpty, "\(differences.count):\n\(differences.prefix(30).joined(separator: "\n"))")
        guard isIndexed else { return }
        // The keys that the server has are those that constants are given here.
        let store = try #require(stack.store as? BackedStore<PostgresStore>)
        let keys = try store.withBackend { backend in
            let key = FoldedKey.sql(of: "ztext")
            let result = try backend.session.query(
                "SELECT znumber, \(key) FROM \(backend.shape.schema.table("ZWORD"))")
            return (0..<result.rowCount).map { (Int(result.int64($0, 0) ?? -1), result.text($0, 1)) }
        }
        let wrong = keys.filter { FoldedKey.key(of: texts[$0.0]) != $0.1 }.map { texts[$0.0] }
        #expect(keys.count == texts.count && wrong.isEmpty, "\(wrong.count): \(wrong.prefix(20))")
    }
}
