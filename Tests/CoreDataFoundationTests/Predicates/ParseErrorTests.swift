import CoreDataFoundation
import TestBasics
import Testing

struct ParseErrorTests {
    @Test(
        "an error has place, finding and expectation (PRD-01, HAZ-51)",
        arguments: [
            ("", 0, "the end of the text", "a value or a key"), ("name", 4, "the end of the text", "comparison"),
            ("name ==", 7, "the end of the text", "a value or a key"),
            ("name == 'x", 8, "a string without its end", "closing"),
            ("(a == 1", 7, "the end of the text", "\")\""), ("a == 1)", 6, "\")\"", "AND, OR or the end"),
            ("a == 1 b == 2", 7, "\"b\"", "AND, OR"), ("a == == 1", 5, "\"==\"", "a value"),
            ("a ==[x] 1", 5, "\"x\"", "c, d, cd, n or l"), ("and == 1", 0, "the keyword and", "#and"),
            ("a == AND", 5, "the keyword AND", "a value"), ("a == %z", 5, "unknown format token", "%@"),
            ("a == %@", 5, "without an argument", "an argument"), ("a BETWEEN", 9, "the end", "a value"),
            ("FUNCTION(a, 'b')", 12, "unknown function", "predefined"),
            ("FETCH(a, b) == 1", 10, "\")\"", "\",\""), ("FETCH(a, b, 1) == 1", 12, "a number", "YES or NO"),
            ("uppercas(a) == 'X'", 0, "did you mean \"uppercase:\"", "predefined"),
            ("now(1) == 2", 0, "1 argument", "predefined"),
            ("FUNCTION(a, b) == 1", 12, "\"b\"", "in quotes"), ("$a := 1", 7, "the end", "a comparison"),
            ("a := 1", 2, "\":=\"", "only a variable"),
            ("$a := ", 6, "the end", "a value"), ("$a := (b == 1)", 6, "a predicate", "a value"),
            ("a[1 == 2", 4, "\"==\"", "\"]\""), ("a[", 2, "the end", "a value"),
            ("CAST(1, 'NSTask') == 1", 8, "a string", "NSDate"),
            ("CAST('x', 'NSUUID') == 1", 5, "not of this form", "NSUUID"),
            ("a == 1x", 5, "starts with a digit", "a number"),
            ("a == 0xZZ", 5, "ZZ", "base 16"), ("a == $", 6, "the end", "name after $"),
            ("a == #", 6, "the end", "name after #"),
            ("a == ;", 5, "\";\"", "operator"), ("(a == 1) + 2 == 3", 0, "a predicate", "a value"),
            ("ANY (a == 1)", 4, "a predicate", "a collection"), ("ANY a", 5, "the end", "comparison"),
            ("a.", 2, "the end", "a key"),
            ("a. b. 'c' == 1", 6, "a string", "a key"), ("{1, 2 == a", 6, "\"==\"", "\"}\""),
            ("a == '\\u00'", 6, "incomplete", "four"),
            ("a == 'x\\", 7, "the end", "backslash"), ("1e999 == a", 0, "out of range", "a number"),
            ("SUBQUERY(a, x, TRUEPREDICATE) == 1", 12, "\"x\"", "variable"), ("NOT a", 5, "the end", "comparison"),
            ("name BEGINWITH 'x'", 5, "\"BEGINWITH\"", "did you mean BEGINSWITH?"),
            ("name liek 'x'", 5, "\"liek\"", "did you mean LIKE?"),
            ("a == 1 ADN b == 2", 7, "\"ADN\"", "did you mean AND?"),
            ("a UNOIN b == c", 2, "\"UNOIN\"", "did you mean UNION?"),
            ("averge:(a) == 1", 0, "did you mean \"average:\"", "predefined"),
            ("SUBQURY(a, $x, $x.b == 1).@count > 0", 0, "did you mean \"SUBQUERY\"", "predefined"),
            ("averge(a) == 1", 0, "did you mean \"average:\"", "predefined"),
            ("a == %1$@", 5, "a token with a number", "in their order"),
            ("a BETWEEN[q] {1, 2}", 10, "\"q\"", "c, d, cd, n or l"),
            ("objectFrom:withIndex:(a) == 1", 0, "does not take 1 argument", "predefined"),
            ("objectFrom:withIndex:(a, FIRST, 2) == 1", 30, "\",\"", "\")\""),
            ("performSelector:(a) == 1", 0, "unknown function", "predefined"),
            ("FUNCTION(a, 'system:', 'x') == 1", 12, "unknown function", "predefined"),
            ("a == \u{201C}x\u{201D}", 5, "\u{201C}", "a name, a value"),
        ])
    func errorHasPlaceAndReason(text: String, position: Int, found: String, expected: String) throws {
        let error = try #require(throws: PredicateParseError.self) { try NSPredicate(parsing: text) }
        #expect(error.position == position)
        #expect(error.found.contains(found), "\(error.found)")
        #expect(error.expected.contains(expected), "\(error.expected)")
        #expect(error.text == text)
    }

    @Test func wrongArgumentsAreErrors() {
        #expect(throws: PredicateParseError.self) { try NSPredicate(parsing: "%K == 1", arguments: [5]) }
        #expect(throws: PredicateParseError.self) { try NSPredicate(parsing: "%K == 1", arguments: [""]) }
        #expect(throws: PredicateParseError.self) { try NSPredicate(parsing: "a == %d", arguments: ["5"]) }
        #expect(throws: PredicateParseError.self) { try NSPredicate(parsing: "a == %d", arguments: [nil]) }
        #expect(throws: PredicateParseError.self) { try NSPredicate(parsing: "a == %s", arguments: [5]) }
        #expect(throws: PredicateParseError.self) {
            try NSPredicate(parsing: "%@ == 1", arguments: [NSPredicate(value: true)])
        }
    }

    @Test(
        "a wrong argument is named by its number and type, never by its value (PRD-02, PRD-03)",
        arguments: [
            (
                "a == %@ AND %K == 1", [1, 2] as [any Sendable], 12, "argument 2 of type Int",
                "a key or key path for \"%K\""
            ),
            ("a == %d", ["secret"], 5, "argument 1 of type String", "a number for \"%d\""),
            ("a == %s", [5], 5, "argument 1 of type Int", "a string"),
            ("a == %@ OR a == %@", [5], 16, "\"%@\" without an argument", "an argument 2"),
            ("a IN %@", [1...5], 5, "ClosedRange<Int>", "BETWEEN with a closed range"),
            ("a BETWEEN %@", [1..<5], 10, "Range<Int>", "a closed range"),
        ] as [(String, [any Sendable], Int, String, String)])
    func wrongArgumentIsNamed(
        text: String, given: [any Sendable], position: Int, found: String, expected: String
    ) throws {
        let error = try #require(throws: PredicateParseError.self) {
            try NSPredicate(parsing: text, arguments: given.map { $0 as Any? })
        }
        #expect(error.position == position)
        #expect(error.found.contains(found), "\(error.found)")
        #expect(error.expected.contains(expected), "\(error.expected)")
        #expect(!error.description.contains("secret"))
    }

    @Test("arguments that no token takes give a warning, as Apple's takes no notice of them (PRD-02)")
    func spareArgumentsGiveAWarning() throws {
        let (predicate, warnings) = try PredicateParser.predicateAndWarnings(from: "a == %@", arguments: [1, 2, 3])
        #expect(predicate.formatString == "a == 1")
        #expect(warnings == ["Predicate format: 3 arguments for 1 tokens; the others are not used"])
        #expect(try PredicateParser.predicateAndWarnings(from: "a == %@", arguments: [1]).warnings.isEmpty)
    }

    @Test("a place is given by line and column too, and its line alone is quoted (PRD-01)")
    func placeHasLineAndColumn() throws {
        let text = "name == 'x'\r\nAND (\n\tage = > 5)\nOR b == 1"
        let error = try #require(throws: PredicateParseError.self) { try NSPredicate(parsing: text) }
        #expect((error.position, error.line, error.column) == (25, 3, 8))
        #expect(error.excerpt == " age = > 5)\n       ^")
        #expect(error.description.contains("at character 26 (line 3, column 8): found \">\", expected a value"))
        let atEnd = try #require(throws: PredicateParseError.self) { try NSPredicate(parsing: "a ==\n") }
        #expect((atEnd.position, atEnd.line, atEnd.column, atEnd.excerpt) == (5, 2, 1, "\n^"))
    }

    @Test("two lines with a caret under the character (PRD-01)")
    func excerptPointsAtTheCharacter() throws {
        let error = try #require(throws: PredicateParseError.self) { try NSPredicate(parsing: "naïve == 👨‍👩‍👧 AND") }
        #expect(error.description.hasSuffix("\nnaïve == 👨‍👩‍👧 AND\n" + String(repeating: " ", count: error.position) + "^"))
        let long = String(repeating: "x", count: 300) + " =="
        let late = try #require(throws: PredicateParseError.self) { try NSPredicate(parsing: long) }
        #expect(late.position == 303)
        #expect(late.excerpt.split(separator: "\n").last == "                                                  ^")
        #expect(late.excerpt.count < 140)
    }

    @Test(
        "100,000 nested levels of any kind are an error (HAZ-51)",
        arguments: [
            "(", "NOT ", "!", "-", "~", "{", "SUBQUERY(", "TERNARY(", "sum(", "1+(", "2 ** ", "TERNARY(NOT ", "a == (",
            "~-", "a[", "FUNCTION(", "$x := ", "FETCH(", "CAST(", "($x := ", "objectFrom:withIndex:(",
        ])
    func deepNestingIsAnError(opening: String) throws {
        let text = String(repeating: opening, count: 400_000 / opening.count) + "a"
        let error = try #require(throws: PredicateParseError.self) { try NSPredicate(parsing: text) }
        #expect(
            ["levels", "operators", "variable", "\"==\"", "comparison", "AND"].contains { error.expected.contains($0) })
    }

    @Test("nesting within the limit parses on a thread with a small stack (HAZ-51)")
    func allowedNestingFitsASmallStack() {
        let levels = PredicateLimits.depth - 1
        let text = String(repeating: "(", count: levels) + "a == 1" + String(repeating: ")", count: levels)
        let mixed =
            String(repeating: "b == 1 AND (c == 2 OR ", count: levels) + "a == 1"
            + String(repeating: ")", count: levels)
        let subquery =
            String(repeating: "SUBQUERY(b, $x, ", count: 50) + "a == 1" + String(repeating: ").@count > 0", count: 50)
        let finished = DispatchSemaphore(value: 0)
        let thread = Thread {
            #expect(throws: Never.self) { try NSPredicate(parsing: text) }
            #expect(throws: Never.self) { _ = try NSPredicate(parsing: mixed).formatString }
            #expect(throws: Never.self) { _ = try NSPredicate(parsing: subquery).formatString }
            finished.signal()
        }
        thread.stackSize = 1024 * 1024
        thread.start()
        finished.wait(for: "the end of the parsing thread")
    }

    @Test("a text of 1 MB and long chains of operators are errors, long lists and chains of OR are not (HAZ-51)")
    func lengthIsBounded() throws {
        let long = "a == '" + String(repeating: "x", count: 1 << 20) + "'"
        #expect(throws: PredicateParseError.self) { try NSPredicate(parsing: long) }
        let sum = "a == 1" + String(repeating: " + 1", count: 100_000)
        #expect(throws: PredicateParseError.self) { try NSPredicate(parsing: sum) }
        let list = "a IN {" + (0..<50_000).map(String.init).joined(separator: ", ") + "}"
        #expect(try holds(list, on: ["a": 49_999]))
        let chain = (0..<20_000).map { "a == \($0)" }.joined(separator: " OR ")
        #expect(try holds(chain, on: ["a": 19_999]))
        let path = "a" + String(repeating: ".a", count: 100_000) + " == nil"
        #expect(try holds(path, on: ["a": nil] as [String: Any?]))
    }

    @Test("random cuts and mixtures of valid texts never trap (HAZ-51, HAZ-52)")
    func randomTextsNeverTrap() {
        let parts = [
            "name", "==", "'x'", "(", ")", "AND", "OR", "NOT", "%@", "%K", "{", "}", ",", "$x", ".", "@count", "ANY",
            "IN", "[", "]", "FIRST", "FUNCTION(", ":=",
            "BETWEEN", "[cd]", "1", "-", "+", "SUBQUERY", "TERNARY(", "CAST(", "#", "\\", "'", "\"", "\0", "é", "0x",
            "1e", "%",
        ]
        var generator = SeededRandom(seed: 51)
        var parsed = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                parts.randomElement(using: &generator) ?? ""
            }
            let format = text.joined(separator: " ")
            if (try? PredicateParser.predicateAndWarnings(from: format, arguments: ["a", "b"])) != nil { parsed += 1 }
        }
        #expect(parsed > 0)
    }

    @Test func aTextThatDoesNotParseStopsWithItsPlace() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "name == AND")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Unable to parse the format string at character 9: found the keyword AND"))
        #expect(text.contains("\nname == AND\n        ^"))
    }
}
