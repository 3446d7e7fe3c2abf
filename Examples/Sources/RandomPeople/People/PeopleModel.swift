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
        #if !canImport(ObjectiveC)
            ObjectClassResolver.register(AWPerson.self, named: "AWPerson")
            ObjectClassResolver.register(AWPersonWithColorData.self, named: "AWPersonWithColorData")
        #endif
        guard let folder = Bundle.module.url(forResource: "RandomPeople", withExtension: "xcdatamodeld"),
            let model = NSManagedObjectModel(contentsOf: folder.appendingPathComponent("\(rawValue).xcdatamodel"))
        else { throw Complaint("the model \(rawValue).xcdatamodel cannot be read") }
        return model
    }
}

/// Something that the user of the program can set right.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
