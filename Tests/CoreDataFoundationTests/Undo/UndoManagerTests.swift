import CoreDataFoundation
import Testing

@MainActor
struct UndoManagerTests {
    @Test("an event is one step, undone and redone with its side effects (CTX-10)")
    func eventIsOneStep() {
        let manager = UndoManager()
        let (born, died) = (Cell(1, manager: manager), Cell(0, manager: manager))
        #expect(!manager.canUndo && !manager.canRedo && manager.groupingLevel == 0)
        born.set(2)
        died.set(1)
        #expect(manager.canUndo && manager.undoCount == 1 && manager.groupingLevel == 1)
        manager.undo()
        #expect(born.value == 1 && died.value == 0)
        #expect(!manager.canUndo && manager.canRedo && manager.redoCount == 1 && manager.groupingLevel == 0)
        manager.redo()
        #expect(born.value == 2 && died.value == 1 && manager.canUndo && !manager.canRedo)
        manager.undo()
        #expect(born.value == 1 && died.value == 0)
    }

    @Test("the main queue ends the event, and the next change is another step (CTX-10)")
    func mainQueueEndsTheEvent() async {
        let manager = UndoManager()
        let cell = Cell(0, manager: manager)
        cell.set(1)
        await nextEvent()
        #expect(manager.groupingLevel == 0 && manager.undoCount == 1)
        cell.set(2)
        cell.set(3)
        await nextEvent()
        #expect(manager.undoCount == 2)
        manager.undo()
        #expect(cell.value == 1)
    }

    @Test("a group begun by hand keeps the event's open until it ends (CTX-10)")
    func groupAcrossEvents() async {
        let manager = UndoManager()
        let cell = Cell(0, manager: manager)
        manager.beginUndoGrouping()
        #expect(manager.groupingLevel == 2)
        cell.set(1)
        await nextEvent()
        #expect(manager.groupingLevel == 2)
        cell.set(2)
        manager.endUndoGrouping()
        await nextEvent()
        #expect(manager.groupingLevel == 0 && manager.undoCount == 1)
        manager.undo()
        #expect(cell.value == 0)
    }

    @Test("the owner of a context ends the event, and the main queue keeps out (CTX-10)")
    func ownerEndsTheEvent() async {
        let manager = UndoManager()
        manager.ownerEndsEvents = true
        let cell = Cell(0, manager: manager)
        cell.set(1)
        await nextEvent()
        #expect(manager.groupingLevel == 1)
        manager.endEvent()
        #expect(manager.groupingLevel == 0 && manager.undoCount == 1)
        manager.endEvent()
        #expect(manager.undoCount == 1)
    }

    @Test("off the main thread an event lasts until undo (CTX-10)")
    func eventOffTheMainThread() async {
        let counts = await Task.detached {
            let manager = UndoManager()
            let cell = Cell(0, manager: manager)
            cell.set(1)
            try? await Task.sleep(for: .milliseconds(50))
            cell.set(2)
            let before = manager.undoCount
            manager.undo()
            return [before, manager.undoCount, cell.value]
        }.value
        #expect(counts == [1, 0, 0])
    }

    @Test("groups nest; a nested one can be undone in the open one (CTX-10)")
    func nestedGroups() {
        let manager = manualManager()
        let cell = Cell(0, manager: manager)
        manager.beginUndoGrouping()
        cell.set(1)
        manager.group { cell.set(2) }
        manager.group { cell.set(3) }
        manager.undoNestedGroup()
        #expect(cell.value == 2 && manager.groupingLevel == 1 && manager.canRedo)
        manager.redo()
        #expect(cell.value == 3 && manager.groupingLevel == 1)
        manager.undoNestedGroup()
        manager.endUndoGrouping()
        manager.undo()
        #expect(cell.value == 0 && manager.redoCount == 2)
        manager.redo()
        #expect(cell.value == 2)
    }

    @Test("a new step empties the redo stack; a group without steps does not (CTX-10)")
    func newStepEmptiesRedo() {
        let manager = manualManager()
        let cell = Cell(0, manager: manager)
        manager.group { cell.set(1) }
        manager.undo()
        manager.group {}
        #expect(manager.canRedo && !manager.canUndo)
        manager.group { cell.set(2) }
        #expect(!manager.canRedo)
    }

    @Test("nothing is recorded while registration is disabled, however often (CTX-11)")
    func disabledRegistration() {
        let manager = manualManager()
        let cell = Cell(0, manager: manager)
        manager.disableUndoRegistration()
        manager.disableUndoRegistration()
        cell.set(1)
        manager.enableUndoRegistration()
        #expect(!manager.isUndoRegistrationEnabled)
        cell.set(2)
        manager.setActionName("No")
        manager.enableUndoRegistration()
        #expect(manager.isUndoRegistrationEnabled && !manager.canUndo && manager.undoActionName == "")
    }

    @Test("levels of undo drop the oldest groups, at once when lowered (CTX-10)")
    func levelsOfUndo() {
        let manager = manualManager()
        let cell = Cell(0, manager: manager)
        for value in 1...5 { manager.group { cell.set(value) } }
        manager.levelsOfUndo = 3
        #expect(manager.undoCount == 3)
        manager.group { cell.set(6) }
        #expect(manager.undoCount == 3)
        while manager.canUndo { manager.undo() }
        #expect(cell.value == 3 && manager.redoCount == 3)
        manager.levelsOfUndo = 1
        #expect(manager.redoCount == 1)
    }

    @Test("removing all actions empties the stacks, forgets open groups and enables registration (CTX-13)")
    func removeAllActions() {
        let manager = manualManager()
        let cell = Cell(0, manager: manager)
        manager.group { cell.set(1) }
        manager.group { cell.set(2) }
        manager.undo()
        manager.beginUndoGrouping()
        manager.disableUndoRegistration()
        manager.removeAllActions()
        #expect(!manager.canUndo && !manager.canRedo && manager.groupingLevel == 0)
        #expect(manager.isUndoRegistrationEnabled)
    }

    @Test("removing all actions in the middle of an undo leaves the rest undone (CTX-13)")
    func removeAllActionsDuringUndo() {
        let manager = manualManager()
        let cell = Cell(0, manager: manager)
        manager.group {
            cell.set(1)
            manager.registerUndo(withTarget: cell) { $0.manager.removeAllActions() }
            cell.set(2)
        }
        manager.undo()
        #expect(cell.value == 1 && !manager.canUndo && !manager.canRedo && manager.groupingLevel == 0)
    }

    @Test("the steps of one target go, those of others stay (CTX-13)")
    func removeActionsOfTarget() {
        let manager = manualManager()
        let (first, second) = (Cell(0, manager: manager), Cell(0, manager: manager))
        manager.group {
            first.set(1)
            second.set(1)
        }
        manager.group { first.set(2) }
        manager.group { second.set(2) }
        manager.undo()
        manager.removeAllActions(withTarget: first)
        #expect(manager.undoCount == 1 && manager.redoCount == 1)
        manager.removeAllActions(withTarget: 5)
        manager.undo()
        #expect(first.value == 2 && second.value == 0)
    }

    @Test("a target is not retained, and a step whose target is gone is skipped (CTX-10)")
    func targetsAreNotRetained() {
        let manager = manualManager()
        let kept = Cell(0, manager: manager)
        weak var gone: Cell?
        manager.beginUndoGrouping()
        do {
            let cell = Cell(0, manager: manager)
            gone = cell
            cell.set(1)
        }
        kept.set(1)
        manager.endUndoGrouping()
        #expect(gone == nil)
        manager.undo()
        #expect(kept.value == 0)
        manager.redo()
        #expect(kept.value == 1)
    }

    @Test("a handler is released when its step is performed or dropped (CTX-10)")
    func handlersAreReleased() {
        let manager = manualManager()
        let target = NSObject()
        let ways: [(UndoManager) -> Void] = [
            { $0.undo() }, { $0.removeAllActions() }, { $0.removeAllActions(withTarget: target) },
            { manager in
                manager.levelsOfUndo = 1
                manager.group { manager.registerUndo(withTarget: target) { _ in } }
                manager.levelsOfUndo = 0
            },
        ]
        for (number, way) in ways.enumerated() {
            weak var held: NSObject?
            do {
                let captured = NSObject()
                held = captured
                manager.group { manager.registerUndo(withTarget: target) { _ in withExtendedLifetime(captured) {} } }
            }
            #expect(held != nil, "way \(number)")
            way(manager)
            #expect(held == nil, "way \(number)")
        }
    }

    @Test("an object that a handler held may remove its own steps as it goes (CTX-10)")
    func deinitMayRemoveSteps() {
        final class Owner {
            let manager: UndoManager
            init(_ manager: UndoManager) { self.manager = manager }
            deinit { manager.removeAllActions(withTarget: self) }
        }
        let manager = manualManager()
        let target = NSObject()
        for way in [{ manager.removeAllActions() }, { manager.removeAllActions(withTarget: target) }] {
            for _ in 0..<3 {
                let owner = Owner(manager)
                manager.group {
                    manager.registerUndo(withTarget: owner) { _ in }
                    manager.registerUndo(withTarget: target) { _ in withExtendedLifetime(owner) {} }
                }
            }
            way()
            #expect(!manager.canUndo)
        }
    }

    @Test("names follow a group between undo and redo (CTX-10)")
    func actionNames() {
        let manager = manualManager()
        let cell = Cell(0, manager: manager)
        #expect(manager.undoMenuItemTitle == "Undo" && manager.redoMenuItemTitle == "Redo")
        manager.group {
            cell.set(1)
            manager.setActionName("Rename")
        }
        manager.group { cell.set(2) }
        manager.setActionName("Move")
        #expect(manager.undoActionName == "Move" && manager.undoMenuItemTitle == "Undo Move")
        manager.undo()
        #expect(manager.undoActionName == "Rename" && manager.redoActionName == "Move")
        #expect(manager.redoMenuItemTitle == "Redo Move")
        manager.redo()
        manager.setActionName("")
        #expect(manager.undoActionName == "" && manager.undoMenuItemTitle == "Undo")
        #expect(manager.undoMenuTitle(forUndoActionName: "Delete") == "Undo Delete")
        #expect(manager.redoMenuTitle(forUndoActionName: "Delete") == "Redo Delete")
    }

    @Test("details and discardable steps belong to their group (CTX-10)")
    func detailsAndDiscardableStepsBelongToTheirGroup() {
        let manager = manualManager()
        let cell = Cell(0, manager: manager)
        manager.group {
            cell.set(1)
            manager.setActionIsDiscardable(true)
            manager.setActionUserInfoValue("pen", forKey: "icon")
        }
        #expect(manager.undoActionIsDiscardable)
        #expect(manager.undoActionUserInfoValue(forKey: "icon") as? String == "pen")
        manager.group {
            cell.set(2)
            manager.setActionIsDiscardable(true)
            cell.set(3)
        }
        #expect(!manager.undoActionIsDiscardable && manager.undoActionUserInfoValue(forKey: "icon") == nil)
        manager.undo()
        manager.undo()
        #expect(manager.redoActionUserInfoValue(forKey: "icon") as? String == "pen")
        #expect(!manager.redoActionIsDiscardable)
    }

    /// Lets the main queue do what was put on it so far.
    private func nextEvent() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
}
