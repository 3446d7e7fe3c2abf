import CoreData

/// The forms in which a model can be written, by the extension of the path.
package enum ModelForm: String, CaseIterable, Sendable {
    /// The versioned source: a folder of versions.
    case sourcePackage = "xcdatamodeld"
    /// The source of one version.
    case source = "xcdatamodel"
    /// Compiled versions.
    case compiledPackage = "momd"
    /// One compiled version.
    case compiled = "mom"
    /// Classes with `@Model` in Swift.
    case swiftSource = "swift"
    /// What `model show --format json` prints; it cannot be read again.
    case report = "json"

    /// Whether the form holds several versions.
    package var isPackage: Bool { self == .sourcePackage || self == .compiledPackage }

    /// The form of a path.
    ///
    /// - Throws: `InspectionError` for any other extension.
    package init(of url: URL, among forms: [ModelForm] = allCases) throws {
        if let form = ModelForm(rawValue: url.pathExtension), forms.contains(form) {
            self = form
            return
        }
        let names = forms.map { ".\($0.rawValue)" }.joined(separator: ", ")
        throw InspectionError(
            .unreadable, subject: url.path, cause: "the name's ending says no form of models",
            hint: "end it in \(names)")
    }
}
