import CoreDataFoundation

/// A property whose value is the result of a fetch; it is never stored.
///
/// ```swift
/// let request = NSFetchRequest<NSFetchRequestResult>()
/// request.entity = customerEntity
/// request.predicate = NSPredicate(format: "city == $FETCH_SOURCE.city")
/// let neighbours = NSFetchedPropertyDescription()
/// neighbours.name = "neighbours"
/// neighbours.fetchRequest = request
/// ```
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
    /// The fetch request of the model.
    final package var fetchRequestTemplate: FetchRequestTemplate? { willSet { requireMutable() } }

    /// The `NSFetchRequest` that was made from the template or set in code, for the module that declares its class.
    final package var fetchRequestObject: NSObject? { willSet { requireMutable() } }

    /// Makes a fetched property; it is transient from the start.
    public required init() {
        super.init()
        isTransient = true
    }

    override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSFetchedPropertyDescription else { return }
        copy.fetchRequestTemplate = fetchRequestTemplate
        copy.fetchRequestObject = fetchRequestObject?.copy() as? NSObject
    }

    override func hasSameContent(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSFetchedPropertyDescription else { return false }
        return super.hasSameContent(as: other) && fetchRequestTemplate == other.fetchRequestTemplate
    }
}
