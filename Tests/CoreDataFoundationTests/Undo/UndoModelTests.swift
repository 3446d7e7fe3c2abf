import CoreDataFoundation
import TestBasics
import Testing

/// Random work with the manager, against a naive one. `CORE_DATA_SEED` replays a run.
@MainActor
struct UndoModelTests {
    @Test("random groups, undos, redos and removals do what a naive manager does (CTX-10)", .timeLimit(.minutes(20)))
    func agreesWithNaiveManager() {
        print("CTX-10: CORE_DATA_SEED=\(TestSeed.first), 2000 sequences")
        var random = SeededRandom(seed: TestSeed.first)
        var performed: [String: Int] = [:]
        for sequence in 0..<2_000 {
            var run = UndoRun(groupsByEvent: random.next(below: 2) == 0)
            for _ in 0..<60 {
                let name = run.step(&random)
                performed[name, default: 0] += 1
                guard run.difference == nil else { break }
            }
            guard let difference = run.difference else { continue }
            Issue.record("CORE_DATA_SEED=\(TestSeed.first), sequence \(sequence): \(difference) after \(run.log)")
            return
        }
        print("  \(performed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))")
        #expect(performed.count == 12 && performed.values.allSatisfy { $0 > 500 })
    }
}

/// One manager and its reference, driven through the same steps.
private struct UndoRun {
    private let manager = UndoManager()
    private let cells: [Cell]
    private var naive = NaiveUndo(values: [0, 0, 0])
    private(set) var log: [String] = []

    init(groupsByEvent: Bool) {
        manager.groupsByEvent = groupsByEvent
        manager.ownerEndsEvents = true
        naive.groupsByEvent = groupsByEvent
        cells = [Cell(0, manager: manager), Cell(0, manager: manager), Cell(0, manager: manager)]
    }

    var difference: String? {
        if cells.map(\.value) != naive.values { return "\(cells.map(\.value)) is not \(naive.values)" }
        let real = [manager.undoCount, manager.redoCount, manager.groupingLevel]
        let expected = [naive.undoCount, naive.redoable.count, naive.open.count]
        if real != expected { return "undo, redo, level \(real) is not \(expected)" }
        return manager.canUndo == (naive.undoCount > 0) ? nil : "canUndo is \(manager.canUndo)"
    }

    /// Does one thing on both sides and tells what.
    mutating func step(_ random: inout SeededRandom) -> String {
        let cell = random.next(below: 3)
        let value = random.next(below: 1_000)
        let name = perform(random.next(below: 100), cell: cell, value: value)
        log.append("\(name)(\(cell), \(value))")
        return name
    }

    private mutating func perform(_ choice: Int, cell: Int, value: Int) -> String {
        switch choice {
        case 0..<12: return begin()
        case 12..<26: return naive.open.isEmpty ? begin() : end()
        case 26..<36 where naive.open.count < 2: return undo()
        case 36..<46: return redo()
        case 46..<56 where naive.mayUndoNested: return undoNested()
        case 56..<62: return endEvent()
        case 62..<64: return disable()
        case 64..<70 where naive.disablings > 0: return enable()
        case 70..<73: return limit(value % 6)
        case 73..<76: return remove(cell)
        case 76..<77: return removeAll()
        default: return set(cell, value)
        }
    }

    private mutating func set(_ cell: Int, _ value: Int) -> String {
        guard naive.groupsByEvent || !naive.open.isEmpty || naive.disablings > 0 else { return begin() }
        cells[cell].set(value)
        naive.set(cell, value)
        return "set"
    }

    private mutating func begin() -> String {
        manager.beginUndoGrouping()
        naive.begin()
        return "begin"
    }

    private mutating func end() -> String {
        manager.endUndoGrouping()
        naive.end()
        return "end"
    }

    private mutating func undo() -> String {
        manager.undo()
        naive.undo()
        return "undo"
    }

    private mutating func redo() -> String {
        manager.redo()
        naive.redo()
        return "redo"
    }

    private mutating func undoNested() -> String {
        manager.undoNestedGroup()
        naive.undoNested()
        return "undoNested"
    }

    private mutating func endEvent() -> String {
        manager.endEvent()
        naive.endEvent()
        return "endEvent"
    }

    private mutating func disable() -> String {
        manager.disableUndoRegistration()
        naive.disablings += 1
        return "disable"
    }

    private mutating func enable() -> String {
        manager.enableUndoRegistration()
        naive.disablings -= 1
        return "enable"
    }

    private mutating func limit(_ levels: Int) -> String {
        manager.levelsOfUndo = levels
        naive.levels = levels
        naive.trim()
        return "limit"
    }

    private mutating func remove(_ cell: Int) -> String {
        manager.removeAllActions(withTarget: cells[cell])
        naive.remove(cell)
        return "remove"
    }

    private mutating func removeAll() -> String {
        manager.removeAllActions()
        naive.removeAll()
        return "removeAll"
    }
}
