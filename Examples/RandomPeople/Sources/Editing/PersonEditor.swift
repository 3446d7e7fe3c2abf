import CoreData

/// Edits one person in a context of its own, so that nobody sees a change before it is done.
///
/// Each change of a field is one step to undo. The editor is open until `done()` succeeds or `cancel()` is called;
/// the steps go then, and further calls do nothing.
@MainActor
final class PersonEditor {
    let title: String
    let person: AWPerson
    private(set) var isOpen = true
    private let context: NSManagedObjectContext
    private let undoManager = UndoManager()

    /// An editor for a new person, who is in the store once it is done.
    static func adding(to coordinator: NSPersistentStoreCoordinator) -> PersonEditor {
        let context = scratchContext(on: coordinator)
        return PersonEditor("Add person", AWPerson.blank(in: context), context)
    }

    /// An editor for a saved person.
    static func editing(
        _ id: NSManagedObjectID, in coordinator: NSPersistentStoreCoordinator
    ) throws -> PersonEditor {
        let context = scratchContext(on: coordinator)
        guard let person = try context.existingObject(with: id) as? AWPerson else {
            throw Complaint("\(id.uriRepresentation()) is not a person")
        }
        return PersonEditor("Edit person", person, context)
    }

    private init(_ title: String, _ person: AWPerson, _ context: NSManagedObjectContext) {
        (self.title, self.person, self.context) = (title, person, context)
        context.processPendingChanges()
        // A step is what `set` does, not what happens before the main queue gets to work again.
        undoManager.groupsByEvent = false
        context.undoManager = undoManager
    }

    private static func scratchContext(on coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}

// MARK: Fields

extension PersonEditor {
    /// Takes over what was typed into a field; throws a text for the user if the field cannot hold it.
    func set(_ field: PersonField, to text: String) throws {
        let value = try field.value(of: text)
        guard isOpen else { return }
        undoManager.beginUndoGrouping()
        defer { undoManager.endUndoGrouping() }
        person.setValue(value, forKey: field.rawValue)
        undoManager.setActionName(field.title)
    }

    /// What menus call the next undo, such as "Undo First Name"; nil when there is nothing to undo.
    var undoTitle: String? { undoManager.canUndo ? undoManager.undoMenuItemTitle : nil }

    /// What menus call the next redo; nil when there is nothing to redo.
    var redoTitle: String? { undoManager.canRedo ? undoManager.redoMenuItemTitle : nil }

    func undo() { context.undo() }

    func redo() { context.redo() }
}

// MARK: Leaving

extension PersonEditor {
    /// Saves and leaves; throws what the user must set right, and stays open then.
    func done() throws {
        guard isOpen else { return }
        do {
            try save()
        } catch {
            throw Complaint(Self.message(for: error as NSError))
        }
        leave()
    }

    /// Saves; what a rule of the class corrects on the way is no step of the user's.
    private func save() throws {
        undoManager.disableUndoRegistration()
        defer { undoManager.enableUndoRegistration() }
        try context.save()
    }

    /// Leaves without a trace.
    func cancel() {
        guard isOpen else { return }
        context.rollback()
        leave()
    }

    private func leave() {
        undoManager.removeAllActions()
        isOpen = false
    }

    /// All that a save found wrong, a line each.
    private static func message(for error: NSError) -> String {
        let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        return details.map(\.localizedDescription).joined(separator: "\n")
    }
}
