import CoreData

/// Where the picture of a contact lies: each is a version of the model.
enum ContactForm: String {
    /// In the contact, as an attribute: a list of contacts must say that it does not want it.
    case pictureInside = "Contacts 1"
    /// In an object of its own, by a relationship to one: a list of contacts knows nothing of it.
    case pictureBeside = "Contacts 2"

    /// Reads the version of the model.
    ///
    /// - Throws: `Complaint` if the program was installed without it.
    func load() throws -> NSManagedObjectModel {
        guard
            let file = Bundle.module.url(forResource: rawValue, withExtension: "mom", subdirectory: "Contacts.momd"),
            let model = NSManagedObjectModel(contentsOf: file)
        else { throw Complaint("the model \(rawValue) cannot be read") }
        return model
    }

    /// The request of a list: all contacts by name, of which names alone are read.
    var list: NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Contact")
        request.sortDescriptors = ["lastName", "firstName"].map { NSSortDescriptor(key: $0, ascending: true) }
        if self == .pictureInside { request.propertiesToFetch = ["firstName", "lastName"] }
        return request
    }
}

/// What the user of the program can set right.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
