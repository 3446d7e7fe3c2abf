import CoreData

/// The versions of the model that come with the program.
enum PeopleModel: String {
    /// The colour of the eyes is a transient attribute beside one of data.
    case colorData = "RandomPeople 1"
    /// The colour of the eyes is a transformable attribute.
    case transformable = "RandomPeople 2"

    /// Reads a version, and makes known what it refers to by name.
    func load() throws -> NSManagedObjectModel {
        EyeColorTransformer.register()
        guard
            let file = Bundle.module.url(
                forResource: rawValue, withExtension: "mom", subdirectory: "RandomPeople.momd"),
            let model = NSManagedObjectModel(contentsOf: file)
        else { throw Complaint("the model \(rawValue) cannot be read") }
        return model
    }
}

/// Something that the user of the program can set right.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
