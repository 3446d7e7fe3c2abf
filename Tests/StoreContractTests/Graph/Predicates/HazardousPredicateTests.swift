import CoreData
import StoreContract
import Testing

/// Predicates from outside: whatever is in them, a fetch answers as memory does or throws.
@Suite struct HazardousPredicateTests {
    private static let texts = [
        "quote's", "\"double\"", "100%", "a_b", "axb", "back\\slash", "\\", "%", "_", "nul\u{0}byte", "nul",
        "שלום עולם",
        "'; DROP TABLE ZHERO; --", "' OR '1'='1", "SELECT * FROM ZHERO", "?1", ":name", "$x", "%@", "", "a*b", "[ab]",
        "line\nbreak", "\u{202E}right", "👨‍👩‍👧", "e\u{301}", "é", "\u{FEFF}bom",
    ]

    private func heroes(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(HeroModel.make(), kind: kind)
        for text in Self.texts { stack.context.insert("Hero", ["name": text]) }
        stack.context.insert("Hero", ["strength": 7])
        try stack.context.save()
        return stack
    }

    @Test("awkward values in every operator find the same in a store as in memory (HAZ-52)", arguments: StoreKind.all)
    func awkwardValuesAgree(kind: StoreKind) throws {
        let stack = try heroes(kind)
        let all = try stack.context.all("Hero")
        for operation in ["==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "IN"] {
            for options in ["", "[c]", "[cd]"] {
                for text in Self.texts {
                    let argument: Any = operation == "IN" ? [text, "x"] : text
                    let predicate = NSPredicate(format: "name \(operation)\(options) %@", argument)
                    let found = try Set(stack.context.all("Hero", predicate).map(\.objectID))
                    let expected = Set(all.filter { predicate.evaluate(with: $0) }.map(\.objectID))
                    #expect(found == expected, "\(operation)\(options) \(text)")
                }
            }
        }
        #expect(try stack.context.all("Hero").count == Self.texts.count + 1)
        for text in Self.texts {
            #expect(try stack.context.all("Hero", NSPredicate(format: "name == %@", text)).count == 1, "\(text)")
        }
    }

    @Test(
        "a pattern of exponential time on a long text is given up with an error that says so (HAZ-53)",
        .timeLimit(.minutes(20)), arguments: StoreKind.all)
    func endlessPatternIsGivenUp(kind: StoreKind) throws {
        let stack = try heroes(kind)
        stack.context.insert("Hero", ["name": String(repeating: "a", count: 5_000) + "!"])
        try stack.context.save()
        let predicate = NSPredicate(format: "name MATCHES '(a+)+$'")
        let error = try #require(throws: (any Error).self) { try stack.context.all("Hero", predicate) }
        #expect("\(error)".contains("regular expression needs too many steps"), "\(error)")
        let broken = NSPredicate(format: "name MATCHES '('")
        let refusal = try #require(throws: (any Error).self) { try stack.context.all("Hero", broken) }
        #expect((refusal as NSError).code == NSCoreDataError, "\(refusal)")
        #expect(try stack.context.all("Hero", NSPredicate(format: "name MATCHES 'a.b'")).count == 3)
    }

    @Test(
        "keys that the model does not have are errors with entity, key and suggestion (HAZ-54)",
        arguments: StoreKind.all
    )
    func unknownKeysAreErrors(kind: StoreKind) throws {
        let stack = try heroes(kind)
        for (key, text) in [
            ("nmae", "did you mean \"name\"?"), ("_storage", "Hero._storage"), ("isFault", "Hero.isFault"),
            ("managedObjectContext", "Hero.managedObjectContext"), ("powers.naem", "Power.naem"),
            ("name.utf8", "Hero.name.utf8"), ("Z_PK", "Hero.Z_PK"),
        ] {
            let predicate = NSPredicate(format: key.hasPrefix("powers") ? "ANY %K == 'a'" : "%K == 'a'", key)
            let error = try #require(throws: NSError.self, "\(key)") { try stack.context.all("Hero", predicate) }
            #expect(error.localizedDescription.contains(text), "\(error.localizedDescription)")
        }
        let deep = NSPredicate(format: "%K == '%'", String(repeating: "self.", count: 20_000) + "name")
        #expect(try stack.context.all("Hero", deep).count == 1)
        let through = try #require(throws: NSError.self) {
            try stack.context.all("Hero", NSPredicate(format: "powers.name == 'a'"))
        }
        #expect(through.localizedDescription.contains("Hero.powers: a path through a to-many relationship needs ANY"))
    }
}
