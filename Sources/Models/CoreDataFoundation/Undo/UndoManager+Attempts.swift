/// Changes that are kept complete or not at all.
extension UndoManager {
    /// Runs a block whose steps stay to be undone together, or are undone at once if it throws.
    ///
    /// A block that throws leaves both stacks as they were, and so does one that registers nothing. Registering a step drops what
    /// can be redone, and undoing one adds to it; so the stack of what can be redone is set aside for an empty one until the block
    /// has ended, and put back if nothing is left of the block. A group that is open is closed first. The block must not undo, redo
    /// or remove steps. For a manager without `levelsOfUndo`, on its queue.
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

    /// Closes the groups that are open, so that the next step begins another.
    package func closeOpenGroups() {
        post(.NSUndoManagerCheckpoint)
        while groupingLevel > 0 { endUndoGrouping() }
    }
}
