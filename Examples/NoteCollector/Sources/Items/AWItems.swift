import CoreData

/// What stands in a list: a collection or a note. Its properties are in the extension that the model's build makes.
public class AWAbstractItem: NSManagedObject {
    /// The names of the collections that it is in, from the outermost on, and its own.
    public var path: [String] { (superCollection?.path ?? []) + [itemName ?? ""] }
}

/// What holds collections and notes; deleting it deletes them.
public class AWCollection: AWAbstractItem {}

/// A text.
public class AWNote: AWAbstractItem {
    /// How many words the text has.
    public var wordCount: Int { (textContent ?? "").split { $0.isWhitespace }.count }
}
