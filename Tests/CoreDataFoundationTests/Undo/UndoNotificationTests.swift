import CoreDataFoundation
import Testing

@MainActor
struct UndoNotificationTests {
    private static let names: [Notification.Name: String] = [
        .NSUndoManagerCheckpoint: "checkpoint", .NSUndoManagerDidOpenUndoGroup: "opened",
        .NSUndoManagerWillCloseUndoGroup: "closing", .NSUndoManagerDidCloseUndoGroup: "closed",
        .NSUndoManagerWillUndoChange: "undoing", .NSUndoManagerDidUndoChange: "undone",
        .NSUndoManagerWillRedoChange: "redoing", .NSUndoManagerDidRedoChange: "redone",
    ]

    /// What a manager tells of itself while something is done with it.
    private func notices(of manager: UndoManager, during body: () -> Void) -> [String] {
        nonisolated(unsafe) var heard: [String] = []
        let observers = Self.names.map { name, word in
            NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { note in
                let isDiscardable = note.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool
                heard.append(isDiscardable == true ? word + " discardable" : word)
            }
        }
        body()
        observers.forEach(NotificationCenter.default.removeObserver)
        return heard
    }

    @Test("an undo and a redo are notified once, before and after, around their group (CTX-13)")
    func undoAndRedo() {
        let manager = manualManager()
        let cell = Cell(0, manager: manager)
        manager.group { cell.set(1) }
        let group = ["opened", "checkpoint", "closing", "closed"]
        #expect(
            notices(of: manager) { manager.undo() }
                == ["checkpoint", "checkpoint", "undoing"] + group + ["undone"])
        #expect(notices(of: manager) { manager.redo() } == ["checkpoint", "redoing"] + group + ["redone"])
        #expect(notices(of: manager) { _ = manager.canRedo } == ["checkpoint"])
        #expect(notices(of: manager) { _ = manager.canUndo } == [])
    }

    @Test("groups notify of their opening and closing; only nested ones have a checkpoint before (CTX-13)")
    func groupsNotifyOfTheirOpeningAndClosing() {
        let manager = manualManager()
        let cell = Cell(0, manager: manager)
        let heard = notices(of: manager) {
            manager.group {
                manager.group {
                    cell.set(1)
                    manager.setActionIsDiscardable(true)
                }
            }
        }
        #expect(
            heard == [
                "opened", "checkpoint", "opened", "checkpoint", "closing discardable", "closed", "checkpoint",
                "closing discardable", "closed",
            ])
    }

    @Test("what an observer registers at the checkpoint belongs to the group that closes (CTX-10)")
    func checkpointMayRegister() {
        let manager = UndoManager()
        let seen = Cell(0, manager: manager)
        nonisolated(unsafe) let late = Cell(0, manager: manager)
        nonisolated(unsafe) var isLate = true
        let observer = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
        ) { _ in
            guard isLate else { return }
            isLate = false
            late.set(1)
        }
        seen.set(1)
        manager.undo()
        #expect(seen.value == 0 && late.value == 0 && manager.redoCount == 1)
        NotificationCenter.default.removeObserver(observer)
    }
}
