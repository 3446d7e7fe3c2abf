import CoreDataStore

/// A section of a fetched results controller.
public protocol NSFetchedResultsSectionInfo {
    /// The text of the value that the objects of the section have in common; empty in a list without sections.
    var name: String { get }
    /// The index title of the section, from `sectionIndexTitle(forSectionName:)`.
    var indexTitle: String? { get }
    /// The number of objects in the section; does not read the store.
    var numberOfObjects: Int { get }
    /// The objects of the section, with faults for those not read yet.
    var objects: [Any]? { get }
}

/// A section in the state in which it was requested.
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
