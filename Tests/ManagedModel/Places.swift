import CoreData
import Foundation

/// What classes are nested in.
public enum Places {
    /// A class that Swift finds by no name.
    public final class Lair: NSManagedObject {
        @NSManaged public var depth: Int32
        @NSManaged public var owner: Knight?
        @NSManaged public var rooms: Set<Room>?

        /// Nested once more.
        public final class Room: NSManagedObject {
            @NSManaged public var label: String?
        }
    }
}

extension Places.Lair {
    @NSManaged public func addToRooms(_ value: Room)
}
