import CoreData

/// The contacts of a store, in one of the two forms.
final class ContactBook {
    let form: ContactForm
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }

    /// Opens a store.
    ///
    /// - Throws: what loading the store throws, also for a store of the other form.
    init(at url: URL, form: ContactForm = .pictureBeside) throws {
        self.form = form
        container = NSPersistentContainer(name: "Contacts", managedObjectModel: try form.load())
        let description = NSPersistentStoreDescription(url: url)
        description.shouldMigrateStoreAutomatically = false
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// The names of all contacts, as a list shows them.
    ///
    /// - Throws: what `fetch(_:)` throws.
    func names() throws -> [String] { try context.fetch(form.list).map(Self.name) }

    static func name(_ contact: NSManagedObject) -> String {
        ["firstName", "lastName"].compactMap { contact.value(forKey: $0) as? String }.joined(separator: " ")
    }

    /// The contact of a name; nil if there is none.
    ///
    /// - Throws: what `fetch(_:)` throws.
    func contact(_ name: String) throws -> NSManagedObject? {
        try context.fetch(form.list).first { Self.name($0) == name }
    }

    /// Adds a contact and saves.
    ///
    /// - Throws: what `save()` throws.
    @discardableResult
    func add(_ firstName: String, _ lastName: String) throws -> NSManagedObject {
        let contact = NSEntityDescription.insertNewObject(forEntityName: "Contact", into: context)
        contact.setValue(firstName, forKey: "firstName")
        contact.setValue(lastName, forKey: "lastName")
        try context.save()
        return contact
    }

    /// Gives a contact a picture, in the place of the one that it has, and saves.
    ///
    /// - Throws: what `save()` throws.
    func setPicture(_ data: Data?, of contact: NSManagedObject) throws {
        switch form {
        case .pictureInside: contact.setValue(data, forKey: "picture")
        case .pictureBeside:
            let picture = data.map { data in
                let picture = ContactPicture(context: context)
                picture.imageData = data
                return picture
            }
            contact.setValue(picture, forKey: "picture")
        }
        try context.save()
    }

    /// The picture of a contact; nil if it has none.
    func picture(of contact: NSManagedObject) -> Data? {
        switch form {
        case .pictureInside: contact.value(forKey: "picture") as? Data
        case .pictureBeside: (contact.value(forKey: "picture") as? ContactPicture)?.imageData
        }
    }
}
