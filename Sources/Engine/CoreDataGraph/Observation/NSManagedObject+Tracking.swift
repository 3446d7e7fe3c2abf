import CoreDataStore
import Observation

/// Support of `withObservationTracking` for the properties of managed objects, in contexts that track them.
///
/// Reads of attributes and relationships are tracked, and so computed properties that read them; reads of the object's
/// state, such as `hasChanges`, are not. A deletion counts as a change of every property.
///
/// As in Apple's framework, `NSManagedObject` does not conform to `Observable`, so that a program's class can.
extension NSManagedObject {
    /// Reports that a property is read, for observation tracking.
    func noteRead(_ place: ObservedPlace) {
        ObserverTable.madeEntry(of: self).noteRead(place.number(in: layout), of: self)
    }
}

extension NSManagedObjectContext {
    /// Whether `withObservationTracking` tracks reads of the context's objects; false by default, true in a
    /// `viewContext`.
    ///
    /// If true, changes, refreshes, merges and deletions call its `onChange`, on the context's queue, and each object
    /// of which a property is read needs some memory. If false, reading has no additional cost. Set it on the context's
    /// queue.
    public var tracksObservation: Bool {
        get { registry.memberFlags.contains(.tracked) }
        set {
            if newValue { registry.memberFlags.insert(.tracked) } else { registry.memberFlags.remove(.tracked) }
            for object in registry.allObjects() {
                if newValue { object.flags.insert(.tracked) } else { object.flags.remove(.tracked) }
            }
        }
    }

    /// The number of objects that are observed or have tracked reads.
    package var observedObjectCount: Int { registry.allObjects().count { $0.flags.contains(.observed) } }
}
