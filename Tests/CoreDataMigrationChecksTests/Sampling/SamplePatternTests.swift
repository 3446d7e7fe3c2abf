import CoreData
import CoreDataMigrationChecks
import TestBasics
import Testing

@testable import CoreDataMigrationChecks

/// Texts made of regular expressions.
@Suite struct SamplePatternTests {
    @Test(arguments: [
        "[A-Z]{2}[0-9]{4}", "abc", #"\d+\.\d{2}"#, "(red|green|blue)(ish)?", #"^[a-z0-9_]+@[a-z]+\.(com|org)$"#, ".*",
        "(?:ab|c){3,5}x", #"\w{8}-\w{4}"#, "a?b*c+", "[-+]?[1-9]", "",
    ])
    func textsMatchTheirPattern(pattern: String) throws {
        let sample = try #require(SamplePattern(pattern))
        let predicate = NSPredicate(format: "SELF MATCHES %@", pattern)
        var random = SampleRandom(seed: 5)
        for _ in 0..<50 {
            let text = sample.text(&random)
            #expect(predicate.evaluate(with: text), "'\(text)'")
        }
    }

    @Test(arguments: [
        "(?=a)b", "[^a]", #"\bword"#, "(a", "a)", "[", "[z-a]", "*", "a{2", "a{3,1}", "a{99999999}", #"\p{L}"#, "\\",
        String(repeating: "(", count: 10_000),
    ])
    func whatIsNotUnderstoodIsSaid(pattern: String) { #expect(SamplePattern(pattern) == nil) }
}
