import CoreData

/// The resources of this module, for the tests of another.
public enum GeneratedBundle {
    /// The bundle with the compiled models.
    public static let bundle = Bundle.module
}
