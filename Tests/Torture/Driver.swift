import CoreData
import StoreContract
import Synchronization
import TestBasics

/// Runs the units, prints what came of them and ends with 1 if a promise was broken.
struct Driver {
    private var isSample = false
    private var only = ""
    private var processes = 2
    private var record: URL?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--sample" {
                isSample = true
                continue
            }
            guard let value = rest.popFirst() else { throw Failure("\(option) needs a value") }
            switch option {
            case "--only": only = value
            case "--processes": processes = Int(value) ?? 2
            case "--record": record = URL(fileURLWithPath: value)
            default: throw Failure("unknown option \(option)")
            }
        }
    }

    func run() throws {
        let units = Plan.units(isSample: isSample).filter { only.isEmpty || $0.name.contains(only) }
        guard !units.isEmpty else { throw Failure("no unit has '\(only)' in its name") }
        print("Torture: \(units.count) units, CORE_DATA_SEED=\(TestSeed.first), \(processes) processes")
        let start = ContinuousClock.now
        let runner = TrialRunner(
            program: Child.url("Torture"), limits: TrialLimits(seconds: 120), processes: processes, record: record)
        let done = Mutex(0)
        let isLoud = !isSample
        let counts = try runner.run(units) { unit, counts in
            let number = done.withLock { done in
                done += 1
                return done
            }
            guard isLoud, number % 50 == 0 || counts.failed > 0 else { return }
            Self.show("\(number) units done; \(unit.name): \(counts.line)")
        }
        report(counts, ContinuousClock.now - start)
    }

    private func report(_ counts: [String: TrialCounts], _ time: Duration) {
        var sums: [String: TrialCounts] = [:]
        for (subject, found) in counts.sorted(by: { $0.key < $1.key }) {
            print("\(subject): \(found.line)")
            for failure in found.failures { print("  \(failure)") }
            let kind = ["flips", "truncations", "kills"].first(where: subject.hasPrefix) ?? "faults"
            sums[kind, default: TrialCounts()].merge(found)
            sums["all", default: TrialCounts()].merge(found)
        }
        for kind in sums.keys.sorted() {
            guard let sum = sums[kind] else { continue }
            print("\(kind.uppercased()): \(sum.line)")
        }
        let all = sums["all"] ?? TrialCounts()
        print("lost \(all[.lost]), traps \(all[.trap]), hangs \(all[.hang]), silent \(all[.silent])")
        print("in \(time.components.seconds) s")
        if all.failed > 0 { exit(1) }
    }

    private static func show(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
