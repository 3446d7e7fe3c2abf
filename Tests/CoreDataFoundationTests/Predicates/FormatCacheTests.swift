import CoreDataFoundation
import TestBasics
import Testing

/// What is remembered of format strings, and that nobody can tell but by the clock.
@MainActor @Suite(.timeLimit(.minutes(20)))
struct FormatCacheTests {
    private let cache = FormatCache()

    private func holds(_ format: String, _ arguments: [Any?], on object: Sample) throws -> Bool {
        try evaluation(of: cache.predicate(from: format, arguments: arguments), on: object)
    }

    @Test("a format used a thousand times with other arguments is parsed once, with the arguments of each use (PRD-02)")
    func formatIsParsedOnce() throws {
        for number in 0..<1000 {
            let object = Sample(["age": number, "name": "Ann \(number)"])
            let name = number % 3 == 0 ? "Bob" : "Ann \(number)"
            #expect(try holds("age >= %d AND name == %@", [number, name], on: object) == (number % 3 != 0))
        }
        #expect(cache.parseCount == 1)
    }

    @Test("keys are part of what is remembered, whatever the other arguments (PRD-03)")
    func keysAreSubstituted() throws {
        let object = Sample(["a": 1, "b": 2])
        for number in 0..<100 {
            #expect(try holds("%K == %@", ["a", number], on: object) == (number == 1))
            #expect(try holds("%K == %@", ["b", number], on: object) == (number == 2))
            #expect(try holds("%@ == %K", [number, "b"], on: object) == (number == 2))
        }
        #expect(cache.parseCount == 3)
    }

    @Test("the sign before an argument, a cast of one and predicates as arguments are parsed each time (PRD-02)")
    func dependentTextsAreRight() throws {
        let object = Sample(["a": -5])
        for number in 1..<10 {
            let predicate = try cache.predicate(from: "a == -%d", arguments: [number])
            #expect(outline(predicate).contains("constant<Int:\(-number)>"))
            let part = NSPredicate(format: "a < %d", -number)
            #expect(try holds("%@ OR a == 7", [part], on: object) == (number < 5))
            #expect(try holds("CAST(%@, 'NSNumber') == a", ["-5"], on: object))
        }
    }

    @Test("arguments beyond a remembered format's go to the parser, which warns of them each time (PRD-02)")
    func surplusArgumentsAreParsed() throws {
        _ = try cache.predicate(from: "a == %@", arguments: [1])
        let parsed = cache.parseCount
        for number in 1...3 {
            _ = try cache.predicate(from: "a == %@", arguments: [1, 2])
            #expect(cache.parseCount == parsed + number)
        }
    }

    @Test("a remembered format with wrong arguments gives the parser's error, and is right again after it (PRD-01)")
    func errorsKeepTheirPlace() throws {
        let format = "a == %d AND b == %@"
        let wrong: [[Any?]] = [[], [1], ["x", 1], [1, NSPredicate(value: true)]]
        _ = try cache.predicate(from: format, arguments: [1, 2])
        for arguments in wrong {
            let error = #expect(throws: PredicateParseError.self) {
                try cache.predicate(from: format, arguments: arguments)
            }
            let expected = #expect(throws: PredicateParseError.self) {
                try PredicateParser.predicate(from: format, arguments: arguments)
            }
            #expect(error == expected)
        }
        let parses = cache.parseCount
        #expect(try holds(format, [1, 2], on: Sample(["a": 1, "b": 2])))
        #expect(cache.parseCount == parses)
    }

    @Test("any number of formats and keys is remembered within bounds (PRD-01, HAZ-51)")
    func hostileNumbersStayBounded() throws {
        let long = String(repeating: "k", count: 3000)
        for number in 0..<5000 {
            _ = try cache.predicate(from: "a == \(number)", arguments: [])
            _ = try cache.predicate(from: "%K == 1", arguments: ["\(long)\(number)"])
            _ = try cache.predicate(from: "name == '\(String(repeating: "x", count: 5000))\(number)'", arguments: [])
            #expect(throws: PredicateParseError.self) { try cache.predicate(from: "a ==", arguments: [number]) }
            let size = cache.size
            #expect(size.templates <= FormatCache.mostTemplates && size.bytes <= FormatCache.mostBytes)
        }
    }

    @Test("NSPredicate(format:) goes through the cache: without arguments, equal texts share one predicate (PRD-01)")
    func formatsShareTheirPredicate() {
        // Other tests fill the same cache, which now and then starts anew.
        let shared = (0..<100).contains { _ in
            NSPredicate(format: "age == 1 AND name == 'x'") === NSPredicate(format: "age == 1 AND name == 'x'")
        }
        #expect(shared)
    }

    @Test("random formats give the same predicate or the same error remembered as parsed (PRD-02)")
    func randomFormatsAgree() throws {
        let seed = TestSeed.first
        print("PRD-02: CORE_DATA_SEED=\(seed), 10,000 formats parsed and remembered")
        var mutator = FormatMutator(seed: seed)
        var agreed = 0
        for number in 0..<10_000 {
            let (format, arguments) = mutator.next()
            let direct = Self.answer {
                try PredicateParser.predicateAndWarnings(from: format, arguments: arguments).predicate
            }
            for _ in 0..<2 {
                let cached = Self.answer { try cache.predicate(from: format, arguments: arguments) }
                #expect(cached == direct, "CORE_DATA_SEED=\(seed), number \(number): \(format)")
            }
            if !direct.hasPrefix("error") { agreed += 1 }
        }
        print("  \(agreed) were right")
        #expect(agreed > 200)
    }

    private static func answer(_ predicate: () throws -> NSPredicate) -> String {
        do { return try outline(predicate()) } catch { return "error \(error)" }
    }

    @Test("threads that use the same formats at once get the right answers (PRD-01)")
    nonisolated func threadsShareTheCache() async {
        let cache = FormatCache()
        let right = await withTaskGroup(of: Int.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    (0..<500).count { number in
                        let made = try? cache.predicate(from: "a == %d AND b != \(number % 20)", arguments: [thread])
                        return made?.formatString == "a == \(thread) AND b != \(number % 20)"
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(right == 4000)
    }
}
