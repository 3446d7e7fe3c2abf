import CoreData

/// The model of the program.
enum DateModel {
    static func load() throws -> NSManagedObjectModel {
        guard let file = Bundle.module.url(forResource: "RandomDates", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: file)
        else { throw Complaint("the model RandomDates.momd cannot be read") }
        return model
    }
}

/// Something that the user of the program can set right.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
