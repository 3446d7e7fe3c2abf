import CoreDataStore
import Observation

/// `withObservationTracking` for the properties of managed objects in contexts that track them.
///
/// Attributes and relationships count, and computed properties through those that they read; what an object knows of
/// itself, such as `hasChanges`, does not. A deletion counts as a change of every property.
///
/// The class does not conform to `Observable` itself, as Apple's does not, so that a program's class may.
extension NSManagedObject {
    /// Notifies the trackers of reads that a property is read.
    func noteRead(_ place: ObservedPlace) {
        ObserverTable.madeEntry(of: self).noteRead(place.number(in: layout), of: self)
    }
}

extension NSManagedObjectContext {
    /// Whether `withObservationTracking` notices reads of the context's objects; false at first, true in a `viewContext`.
    ///
    /// Changes, refreshes, merges and deletions then call its `onChange`, on the context's queue. Costs some memory for each
    /// object of which a property is read; without it a read costs nothing more. Set it on the context's queue.
    public var tracksObservation: Bool {
        get { registry.memberFlags.contains(.tracked) }
        set {
            if newValue { registry.memberFlags.insert(.tracked) } else { registry.memberFlags.remove(.tracked) }
            for object in registry.allObjects() {
                if newValue { object.flags.insert(.tracked) } else { object.flags.remove(.tracked) }
            }
        }
    }

    /// The number of objects that are observed.
    package var observedObjectCount: Int { registry.allObjects().count { $0.flags.contains(.observed) } }
}
