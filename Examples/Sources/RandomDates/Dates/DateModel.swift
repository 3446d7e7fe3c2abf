import CoreData

/// The model of the program.
enum DateModel {
    static func load() throws -> NSManagedObjectModel {
        #if !canImport(ObjectiveC)
            // The model names the class without its module, in which it is to be found.
            ObjectClassResolver.register(AWRandomDate.self, named: "AWRandomDate")
        #endif
        guard let file = Bundle.module.url(forResource: "RandomDates", withExtension: "xcdatamodeld"),
            let model = NSManagedObjectModel(contentsOf: file)
        else { throw Complaint("the model RandomDates.xcdatamodeld cannot be read") }
        return model
    }
}

/// Something that the user of the program can set right.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
