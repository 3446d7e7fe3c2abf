import CoreDataFoundation
import TestBasics
import Testing

/// Formats that nobody wrote: whatever the text, there is a predicate or an error with its place.
///
/// `CORE_DATA_SEED` replays a run, `CORE_DATA_EXHAUSTIVE=1` makes it a million texts.
@MainActor
struct ParserFuzzTests {
    /// How to run it again.
    private static let seed = "CORE_DATA_SEED=\(TestSeed.first)"

    @Test("random formats give a predicate or an error with its place (PRD-01, HAZ-51)", .timeLimit(.minutes(60)))
    func randomFormatsHaveAPlace() throws {
        let count = TestSeed.isExhaustive ? 1_000_000 : 5_000
        // At once, since a trap would leave no other trace.
        print("PRD-01: \(Self.seed), \(count) random formats")
        var mutator = FormatMutator(seed: TestSeed.first)
        var (parsed, printed) = (0, 0)
        var slowest = Duration.zero
        for number in 0..<count {
            let (format, arguments) = mutator.next()
            let began = ContinuousClock.now
            do {
                let predicate = try PredicateParser.predicateAndWarnings(from: format, arguments: arguments).predicate
                if try roundTrips(predicate, "number \(number): \(format)") { printed += 1 }
                parsed += 1
            } catch let error as PredicateParseError {
                #expect((0...format.count).contains(error.position), "number \(number): \(format)")
                #expect(error.text == format, "number \(number): \(format)")
                #expect(!error.found.isEmpty && !error.expected.isEmpty, "number \(number): \(format)")
            } catch {
                Issue.record("\(Self.seed), number \(number): \(format): \(error)")
            }
            slowest = max(slowest, ContinuousClock.now - began)
        }
        #expect(TestSeed.isExhaustive || printed > 100)
        print("  \(parsed) parse, \(printed) print and parse again, the slowest took \(slowest)")
        #expect(parsed * 50 > count)
        #expect(parsed < count)
        #expect(slowest < .seconds(5))
    }

    /// Prints and parses again what has a written form within the limits; false for what has none.
    private func roundTrips(_ predicate: NSPredicate, _ place: String) throws -> Bool {
        let text = predicate.formatString
        let again: NSPredicate
        do {
            again = try NSPredicate(parsing: text)
        } catch let error as PredicateParseError {
            let isBeyondLimits = error.expected.contains("nested levels") || error.expected.contains("operators")
            #expect(isBeyondLimits || text.contains("<Dictionary"), "\(Self.seed), \(place): \(error)")
            return false
        }
        #expect(again == predicate && again.hash == predicate.hash, "\(Self.seed), \(place): \(text)")
        return true
    }
}
