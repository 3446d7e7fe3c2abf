/// Contains an object that a higher module computes once from a model or an entity and that the description then owns.
package final class DescriptionRuntime: @unchecked Sendable {
    package let layout: AnyObject

    package init(_ layout: AnyObject) { self.layout = layout }
}
