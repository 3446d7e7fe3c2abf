import CoreDataFoundation

/// A value whose changes an undo manager can take back.
final class Cell {
    private(set) var value: Int
    let manager: UndoManager

    init(_ value: Int, manager: UndoManager) {
        self.value = value
        self.manager = manager
    }

    func set(_ new: Int) {
        let old = value
        manager.registerUndo(withTarget: self) { $0.set(old) }
        value = new
    }
}

/// A manager whose groups are begun by hand.
func manualManager() -> UndoManager {
    let manager = UndoManager()
    manager.groupsByEvent = false
    return manager
}

extension UndoManager {
    /// Makes one top-level group of what is registered in it.
    func group(_ body: () -> Void) {
        beginUndoGrouping()
        body()
        endUndoGrouping()
    }
}
