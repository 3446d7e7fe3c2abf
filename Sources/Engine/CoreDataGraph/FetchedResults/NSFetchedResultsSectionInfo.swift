import CoreDataStore

/// A section of a fetched results controller.
public protocol NSFetchedResultsSectionInfo {
    /// The text of the value that the objects of the section share; empty where there are no sections.
    var name: String { get }
    /// The title in the index of the list, as `sectionIndexTitle(forSectionName:)` gives it.
    var indexTitle: String? { get }
    /// How many objects are in the section; asks no store.
    var numberOfObjects: Int { get }
    /// The objects of the section, as faults where they have not been read yet.
    var objects: [Any]? { get }
}

/// A section as it was when it was requested.
struct ResultsSection: NSFetchedResultsSectionInfo {
    let name: String
    let indexTitle: String?
    let numberOfObjects: Int
    private let contents: () -> [Any]

    init(name: String, indexTitle: String?, count: Int, contents: @escaping () -> [Any]) {
        self.name = name
        self.indexTitle = indexTitle
        numberOfObjects = count
        self.contents = contents
    }

    var objects: [Any]? { contents() }
}
