import CoreDataFoundation
import CoreDataSQL
import StoreContract
import TestBasics
import Testing

/// Random predicates on random objects: what translates selects the same rows in SQL as in memory.
///
/// `CORE_DATA_SEED` replays a run, `CORE_DATA_EXHAUSTIVE=1` makes it 20,000 predicates.
@MainActor
struct GeneratedPredicateTests {
    private static let predicatesPerWorld = 100

    /// What came of the predicates of a run.
    private struct Tally {
        var translated = 0
        var selective = 0
        var disagreements: [String] = []
    }

    @Test(
        "generated predicates select the same rows in SQL as in memory (PRD-08, PRD-10, PRD-13, PRD-19, PRD-24, HAZ-52)",
        .timeLimit(.minutes(60)))
    func generatedPredicatesAgree() throws {
        let count = TestSeed.isExhaustive ? 20_000 : 400
        print("PRD-08: CORE_DATA_SEED=\(TestSeed.first), \(count) generated predicates")
        var generator = PredicateGenerator(seed: TestSeed.first)
        var tally = Tally()
        for _ in 0..<count / Self.predicatesPerWorld {
            let world = try QueryWorld()
            try world.fill(seed: generator.random.next(), people: 40 + generator.random.next(below: 40))
            for _ in 0..<Self.predicatesPerWorld { try ask(generator.predicate(), of: world, &tally) }
        }
        let least = generator.counts.values.min() ?? 0
        print(
            "  \(tally.translated) translate, \(tally.selective) select some, every operator on a type \(least) times")
        let shown = tally.disagreements.prefix(10).joined(separator: "\n")
        #expect(
            tally.disagreements.isEmpty, "CORE_DATA_SEED=\(TestSeed.first), \(tally.disagreements.count):\n\(shown)")
        try expectVariety(tally, generator, count)
    }

    private func expectVariety(_ tally: Tally, _ generator: PredicateGenerator, _ count: Int) throws {
        #expect(tally.translated * 10 >= count * 9)
        #expect(tally.selective * 10 >= count * 3)
        guard TestSeed.isExhaustive else { return }
        for cell in PredicateGenerator.cells {
            #expect(generator.counts[cell, default: 0] >= 100, "\(cell.operation) on \(cell.type)")
        }
    }

    private func ask(_ predicate: NSPredicate, of world: QueryWorld, _ tally: inout Tally) {
        guard (try? world.compiled(predicate)) != nil else { return }
        tally.translated += 1
        if let difference = difference(on: predicate, in: world) {
            let least = leastDisagreeing(predicate, in: world)
            let shown = least.formatString.prefix(300)
            tally.disagreements.append("\(shown): \(self.difference(on: least, in: world) ?? difference)")
            return
        }
        let found = (try? world.keysInMemory(predicate).count) ?? 0
        if found > 0, found < world.objects["Person"]?.count ?? 0 { tally.selective += 1 }
    }

    /// How the two answers differ; nil if they agree or the predicate does not translate.
    private func difference(on predicate: NSPredicate, in world: QueryWorld) -> String? {
        guard let compiled = try? world.compiled(predicate) else { return nil }
        do {
            let found = Set(try world.keys(world.query("Person", predicate)))
            let expected = Set(try world.keysInMemory(predicate))
            guard found != expected else { return nil }
            let missing = expected.subtracting(found).sorted().prefix(5)
            let extra = found.subtracting(expected).sorted().prefix(5)
            return "\(compiled.sql.prefix(600)); missing \(missing), extra \(extra)"
        } catch {
            return "\(compiled.sql.prefix(600)); \(error)"
        }
    }

    /// The smallest part of a predicate that still shows a difference.
    private func leastDisagreeing(_ predicate: NSPredicate, in world: QueryWorld) -> NSPredicate {
        guard let compound = predicate as? NSCompoundPredicate else { return predicate }
        for part in compound.subpredicates where difference(on: part, in: world) != nil {
            return leastDisagreeing(part, in: world)
        }
        return predicate
    }
}
