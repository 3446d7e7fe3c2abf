/// The name and text of a generated source file.
package struct GeneratedFile: Hashable, Sendable {
    package let name: String
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
