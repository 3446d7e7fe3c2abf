import CoreDataFoundation
import TestBasics
import Testing

/// Random changes of objects that point at each other. `CORE_DATA_SEED` replays a run.
struct ObservingModelTests {
    private static let paths = [
        "name", "boss.name", "boss.boss.boss.name", "title", "boss.title", "ranks", "boss.ranks", "lead.name",
        "boss.lead.title",
    ]

    @Test("the value that observers received last is always the present one (KVC-11, KVC-13)", .timeLimit(.minutes(20)))
    func observersKnowThePresent() {
        print("KVC-11: CORE_DATA_SEED=\(TestSeed.first), 200 sequences")
        var random = SeededRandom(seed: TestSeed.first)
        var told = 0
        for sequence in 0..<200 {
            let people = (0..<4).map { Colleague(name: "\($0)") }
            let trackers = people.flatMap { person in Self.paths.map { Tracker(person, path: $0) } }
            for step in 0..<25 {
                let person = people[random.next(below: 4)]
                switch random.next(below: 5) {
                case 0: person.name = nil
                case 1, 2: person.name = "\(random.next(below: 50))"
                case 3: person.boss = nil
                default: person.boss = people[random.next(below: 4)]
                }
                guard let wrong = trackers.first(where: { !$0.isRight }) else { continue }
                Issue.record("CORE_DATA_SEED=\(TestSeed.first), sequence \(sequence), step \(step): \(wrong.path)")
                return
            }
            told += trackers.map(\.count).reduce(0, +)
            for tracker in trackers { tracker.stop() }
            #expect(people.allSatisfy { $0.keyObservers == nil })
            for person in people { person.boss = nil }
        }
        print("  \(told) changes told")
        #expect(told > 20_000)
    }

    /// Keeps the value that it was told last, and checks that each change starts from it.
    private final class Tracker: KeyValueObserver {
        let path: String
        private let person: Colleague
        private var known: String?
        private var isConsistent = true
        private(set) var count = 0

        init(_ person: Colleague, path: String) {
            self.person = person
            self.path = path
            person.addObserver(self, forKeyPath: path, options: [.old, .new, .initial])
        }

        var isRight: Bool { isConsistent && known == person.value(forKeyPath: path) as? String }

        func stop() { person.removeObserver(self, forKeyPath: path) }

        func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            if count > 0, change?[.oldKey] as? String != known { isConsistent = false }
            known = change?[.newKey] as? String
            count += 1
        }
    }

    @Test("dependencies up a ring and up a long chain end (KVC-13)", .timeLimit(.minutes(20)))
    func ringsAndChainsEnd() {
        let ring = (0..<3).map { Colleague(name: "\($0)") }
        for (place, person) in ring.enumerated() { person.boss = ring[(place + 1) % 3] }
        var ranks: [String] = []
        let listener = Tracker(ring[0], path: "ranks")
        ring[2].name = "x"
        ranks.append(ring[0].ranks)
        #expect(ranks == ["01x"] && listener.count == 2)
        listener.stop()
        for person in ring { person.boss = nil }
        let chain = (0..<200).map { Colleague(name: "\($0 % 10)") }
        for (person, boss) in zip(chain, chain.dropFirst()) { person.boss = boss }
        let top = Tracker(chain[0], path: "ranks")
        chain[199].name = "z"
        #expect(top.isRight && top.count == 2)
        top.stop()
        #expect(chain.allSatisfy { $0.keyObservers == nil })
    }

    @Test("20,000 observers of one key are added, notified and removed (KVC-12)", .timeLimit(.minutes(20)))
    func manyObservers() {
        let person = Colleague(name: "Ann")
        let listeners = (0..<20_000).map { _ in Listener() }
        for listener in listeners { person.addObserver(listener, forKeyPath: "name", options: .new) }
        person.name = "Bea"
        #expect(listeners.allSatisfy { $0.heard == ["name nil>Bea"] })
        for listener in listeners { person.removeObserver(listener, forKeyPath: "name") }
        #expect(person.keyObservers == nil)
    }
}
