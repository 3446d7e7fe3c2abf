/// Collects what could not be read in a source, so that the rest can still be read and checked.
final class SourceFaults {
    /// The largest number of findings; further ones are dropped.
    private static let greatestCount = 1000

    private(set) var findings: [ModelFinding] = []
    /// The name of the entity that is being read.
    var entity: String?

    /// Adds a finding about an element.
    func add(_ rule: ModelRule, _ cause: String, in element: SourceElement) {
        guard findings.count < Self.greatestCount else { return }
        let isProperty = ["attribute", "relationship", "fetchedProperty"].contains(element.name)
        findings.append(
            ModelFinding(
                rule: rule, message: cause, entity: entity, property: isProperty ? element.title : nil,
                place: element.place))
    }
}
