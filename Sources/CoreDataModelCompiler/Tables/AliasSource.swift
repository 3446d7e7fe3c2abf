/// The file that settles which of two types of one name a module means: Foundation has them too, of less use here.
///
/// It imports only the library: there the library's type is the one that is seen.
package enum AliasSource {
    /// The name of the file.
    package static let fileName = "CoreDataAliases.swift"

    /// The names that a file which imports both finds ambiguous.
    package static let names = ["NSExpression", "NSComparisonPredicate"]

    package static var file: GeneratedFile {
        var source = SourceText(head: [fileName, "", SourceText.untouchable])
        source.add("", "import CoreData", "")
        source.add(names.map { "typealias \($0) = CoreData.\($0)" })
        return GeneratedFile(name: fileName, text: source.text)
    }
}
