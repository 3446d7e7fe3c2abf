/// The path from `<model>` to an element in it.
///
/// `ModelPath.entity("Hero").attribute("name")` leads to `<attribute name="name">` in `<entity name="Hero">`.
package struct ModelPath: Hashable, Sendable {
    /// One step: the kind of the element and, if there are several of that kind, its key or number.
    package struct Step: Hashable, Sendable {
        package var kind: String
        /// The element's name, key, value or property.
        package var key: String?
        /// The number among the elements of the kind and key, from 0.
        package var number: Int

        package init(_ kind: String, _ key: String? = nil, number: Int = 0) {
            self.kind = kind
            self.key = key
            self.number = number
        }
    }

    package var steps: [Step]

    package init(_ steps: [Step] = []) { self.steps = steps }

    /// The element `<model>` itself.
    package static let model = ModelPath()

    package static func entity(_ name: String) -> ModelPath { ModelPath([Step("entity", name)]) }

    package func attribute(_ name: String) -> ModelPath { step("attribute", name) }

    package func relationship(_ name: String) -> ModelPath { step("relationship", name) }

    package func step(_ kind: String, _ key: String? = nil, number: Int = 0) -> ModelPath {
        ModelPath(steps + [Step(kind, key, number: number)])
    }

    /// The path without its last step.
    package var parent: ModelPath { ModelPath(steps.dropLast()) }
}

extension ModelPath: CustomStringConvertible {
    /// `entity 'Hero' / attribute 'name'`.
    package var description: String {
        steps.isEmpty ? "model" : steps.map(\.description).joined(separator: " / ")
    }
}

extension ModelPath.Step: CustomStringConvertible {
    package var description: String {
        let name = key.map { "\(kind) '\($0)'" } ?? kind
        return number == 0 ? name : "\(name) \(number + 1)"
    }

    /// The index of the element in the contents of another; nil if there is none.
    func index(in element: ModelElement) -> Int? {
        var remaining = number
        return element.contents.firstIndex { content in
            guard let inner = content.element, inner.name == kind, key == nil || inner.key == key else { return false }
            remaining -= 1
            return remaining < 0
        }
    }
}
