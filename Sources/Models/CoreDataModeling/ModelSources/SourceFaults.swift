/// What a reader of a source could not read, collected so that the rest can still be read and checked.
final class SourceFaults {
    /// More than this are of no use to a reader.
    private static let greatestCount = 1000

    private(set) var findings: [ModelFinding] = []
    /// The entity that is being read.
    var entity: String?

    /// Adds what is wrong with an element.
    func add(_ rule: ModelRule, _ cause: String, in element: SourceElement) {
        guard findings.count < Self.greatestCount else { return }
        let isProperty = ["attribute", "relationship", "fetchedProperty"].contains(element.name)
        findings.append(
            ModelFinding(
                rule: rule, message: cause, entity: entity, property: isProperty ? element.title : nil,
                place: element.place))
    }
}
