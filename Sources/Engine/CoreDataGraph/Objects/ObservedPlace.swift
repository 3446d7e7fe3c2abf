import CoreDataStore

/// A property of an object, by which observation tracking distinguishes properties.
enum ObservedPlace {
    /// An attribute or to-one relationship.
    case slot(Int)
    /// A to-many relationship.
    case toMany(Int)

    /// The property's number in a layout: first come the slots, then the to-many relationships.
    func number(in layout: EntityLayout) -> Int {
        switch self {
        case .slot(let slot): slot
        case .toMany(let number): layout.slots.count + number
        }
    }

    init(_ number: Int, in layout: EntityLayout) {
        self = number < layout.slots.count ? .slot(number) : .toMany(number - layout.slots.count)
    }
}
