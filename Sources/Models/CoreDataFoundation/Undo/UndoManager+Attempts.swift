/// Changes of which either all are kept or none.
extension UndoManager {
    /// Runs a block and keeps its steps as one group to undo; if the block throws, undoes them at once.
    ///
    /// A block that throws or registers nothing leaves both stacks as they were. Registering a step empties the redo
    /// stack, and undoing one adds to that stack; therefore an empty stack replaces the redo stack while the block
    /// runs, and the former one returns if no step of the block is left. Open groups are closed first. The block must
    /// not undo, redo or remove steps. Only for a manager whose `levelsOfUndo` is 0, on its queue.
    package func attempt<Result>(named name: String? = nil, _ body: () throws -> Result) throws -> Result {
        closeOpenGroups()
        let redoable = history.redoable
        let count = history.undoable.count
        history.redoable = UndoStack()
        do {
            let result = try body()
            post(.NSUndoManagerCheckpoint)
            if undoCount > count {
                history.clear(redoable)
                if let name { setActionName(name) }
            } else {
                history.redoable = redoable
            }
            return result
        } catch {
            closeOpenGroups()
            while history.undoable.count > count { undo() }
            post(.NSUndoManagerCheckpoint)
            history.clear(history.redoable)
            history.redoable = redoable
            throw error
        }
    }

    /// Closes all open groups, so that the next step opens another.
    package func closeOpenGroups() {
        post(.NSUndoManagerCheckpoint)
        while groupingLevel > 0 { endUndoGrouping() }
    }
}
