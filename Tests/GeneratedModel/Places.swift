import CoreData

/// What a class is nested in.
public enum Places {
    /// A class that Swift finds by no name.
    public final class Cave: NSManagedObject {}
}
