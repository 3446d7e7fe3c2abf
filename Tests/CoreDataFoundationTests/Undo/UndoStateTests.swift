import CoreDataFoundation
import Testing

/// What an undo manager says of itself while it is at work.
struct UndoStateTests {
    private final class Target {
        var states: [String] = []
    }

    @Test("It is undoing while it undoes, and redoing while it redoes")
    func itIsUndoingWhileItUndoes() {
        let (manager, target) = (UndoManager(), Target())
        manager.groupsByEvent = false
        func register() {
            manager.registerUndo(withTarget: target) { target in
                target.states.append("\(manager.isUndoing) \(manager.isRedoing)")
                register()
            }
        }
        manager.beginUndoGrouping()
        register()
        manager.endUndoGrouping()
        #expect(!manager.isUndoing && !manager.isRedoing)
        manager.undo()
        manager.redo()
        #expect(target.states == ["true false", "false true"])
        #expect(!manager.isUndoing && !manager.isRedoing && manager.canUndo)
    }
}
