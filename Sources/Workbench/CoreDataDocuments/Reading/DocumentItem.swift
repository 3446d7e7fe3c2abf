import CoreData

/// A value of a document that lies at one of the places that were asked for.
package struct DocumentItem {
    /// The number of the place.
    let path: Int
    /// The value, or why it cannot be read although what follows it can.
    let value: Result<JSONValue, InspectionError>
    /// The line at which the value begins, from 1.
    let line: Int
    /// How many bytes of the document it is.
    let size: Int
    /// What relative addresses in it are relative to, besides the document's URL, from the outermost one (XML Base).
    var bases: [String] = []
}

/// Hands out values of a document one by one.
package protocol DocumentItems: AnyObject {
    /// The next value; nil after the last.
    ///
    /// - Throws: `InspectionError` with the line for what is not of the document's form.
    func next() throws -> DocumentItem?
}
