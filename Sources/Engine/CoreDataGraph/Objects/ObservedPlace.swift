import CoreDataStore

/// A property of an object, as those who track reads distinguish properties.
enum ObservedPlace {
    /// An attribute or to-one relationship.
    case slot(Int)
    /// A to-many relationship.
    case toMany(Int)

    /// The place among all places of a layout: first the slots, then the to-many relationships.
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
