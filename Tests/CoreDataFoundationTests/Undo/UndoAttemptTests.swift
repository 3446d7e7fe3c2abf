import CoreDataFoundation
import Testing

/// Changes that are kept complete or not at all.
struct UndoAttemptTests {
    private struct Refusal: Error {}

    /// A number whose changes can be undone.
    private final class Number {
        let manager = UndoManager()
        private(set) var value = 0

        func set(_ next: Int) {
            let former = value
            manager.registerUndo(withTarget: self) { $0.set(former) }
            value = next
        }
    }

    @Test("An attempt that succeeds is one group with its name, and drops what could be redone")
    func attemptThatSucceedsIsOneGroup() throws {
        let number = Number()
        try number.manager.attempt(named: "One") { number.set(1) }
        try number.manager.attempt(named: "Three") {
            number.set(2)
            number.set(3)
        }
        #expect(number.manager.undoCount == 2 && number.manager.undoActionName == "Three")
        number.manager.undo()
        #expect(number.value == 1 && number.manager.redoCount == 1)
        try number.manager.attempt(named: "Four") { number.set(4) }
        #expect(number.manager.redoCount == 0 && number.manager.undoActionName == "Four")
        number.manager.undo()
        number.manager.undo()
        #expect(number.value == 0 && !number.manager.canUndo && number.manager.redoActionName == "One")
    }

    @Test("An attempt that fails leaves the value and both stacks as they were", arguments: [0, 1, 3])
    func attemptThatFailsLeavesEverything(_ steps: Int) throws {
        let number = Number()
        for value in 1...3 { try number.manager.attempt(named: "\(value)") { number.set(value) } }
        number.manager.undo()
        number.manager.undo()
        #expect(throws: Refusal.self) {
            try number.manager.attempt(named: "Refused") {
                for step in 0..<steps { number.set(10 + step) }
                throw Refusal()
            }
        }
        let manager = number.manager
        #expect(number.value == 1 && manager.undoCount == 1 && manager.redoCount == 2 && manager.groupingLevel == 0)
        #expect(manager.undoActionName == "1" && manager.redoActionName == "2")
        manager.redo()
        manager.redo()
        #expect(number.value == 3 && manager.redoCount == 0)
        for _ in 0..<3 { manager.undo() }
        #expect(number.value == 0 && !manager.canUndo)
    }

    @Test("An attempt that registers nothing leaves what can be redone, and names nothing")
    func attemptThatRegistersNothing() throws {
        let number = Number()
        for value in 1...2 { try number.manager.attempt(named: "\(value)") { number.set(value) } }
        number.manager.undo()
        try number.manager.attempt(named: "Nothing") {}
        #expect(number.manager.undoActionName == "1" && number.manager.redoActionName == "2")
    }

    @Test("An attempt within one that fails goes with it")
    func attemptWithinOneThatFails() throws {
        let number = Number()
        for value in 1...2 { try number.manager.attempt(named: "\(value)") { number.set(value) } }
        number.manager.undo()
        #expect(throws: Refusal.self) {
            try number.manager.attempt {
                try number.manager.attempt(named: "Inner") { number.set(5) }
                throw Refusal()
            }
        }
        #expect(number.value == 1 && number.manager.undoCount == 1)
        number.manager.redo()
        #expect(number.value == 2)
    }

    @Test("Steps of a target that is removed are removed from a stack that was set aside and put back")
    func removedTarget() throws {
        let (number, other) = (Number(), Number())
        try number.manager.attempt { number.set(1) }
        number.manager.undo()
        #expect(throws: Refusal.self) {
            try number.manager.attempt {
                number.manager.removeAllActions(withTarget: number)
                number.manager.registerUndo(withTarget: other) { _ in }
                throw Refusal()
            }
        }
        #expect(number.manager.redoCount == 0 && number.manager.undoCount == 0)
    }
}
