import CoreDataFoundation
import Testing

/// The programmer's mistakes: each stops the process and says which rule was broken.
struct UndoMistakeTests {
    private func message(of result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("endUndoGrouping without beginUndoGrouping stops (CTX-10)")
    func endWithoutBegin() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UndoManager().endUndoGrouping()
        }
        #expect(message(of: result).contains("without beginUndoGrouping()"))
    }

    @Test("undo with a nested group open stops (CTX-10)")
    func undoWithNestedGroupOpen() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let manager = UndoManager()
            manager.beginUndoGrouping()
            manager.undo()
        }
        #expect(message(of: result).contains("with 2 groups open"))
    }

    @Test("registering without a group stops when events make none (CTX-10)")
    func registerWithoutGroup() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let manager = UndoManager()
            manager.groupsByEvent = false
            manager.registerUndo(withTarget: NSObject()) { _ in }
        }
        #expect(message(of: result).contains("needs beginUndoGrouping() first"))
    }

    @Test("redo and undo during an undo stop (CTX-10)", arguments: [true, false])
    func performingDuringUndo(isRedo: Bool) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [isRedo] in
            let manager = UndoManager()
            let target = NSObject()
            manager.registerUndo(withTarget: target) { _ in isRedo ? manager.redo() : manager.undo() }
            manager.undo()
        }
        #expect(message(of: result).contains("\(isRedo ? "redo" : "undo")() was called during an undo"))
    }

    @Test("undoing a nested group after a step in the open one stops (CTX-10)")
    func undoNestedGroupAfterStep() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let manager = UndoManager()
            manager.registerUndo(withTarget: NSObject()) { _ in }
            manager.undoNestedGroup()
        }
        #expect(message(of: result).contains("needs a closed group"))
    }

    @Test("enabling what was not disabled, and a negative number of levels, stop (CTX-10)", arguments: [true, false])
    func wrongSettings(isEnabling: Bool) async {
        await #expect(processExitsWith: .failure) { [isEnabling] in
            let manager = UndoManager()
            if isEnabling { manager.enableUndoRegistration() } else { manager.levelsOfUndo = -1 }
        }
    }

    @Test("a handler that opens or closes groups of others stops (CTX-10)", arguments: [true, false])
    func unbalancedHandler(isOpening: Bool) async {
        await #expect(processExitsWith: .failure) { [isOpening] in
            let manager = UndoManager()
            let target = NSObject()
            manager.registerUndo(withTarget: target) { _ in
                isOpening ? manager.beginUndoGrouping() : manager.endUndoGrouping()
            }
            manager.undo()
        }
    }
}
