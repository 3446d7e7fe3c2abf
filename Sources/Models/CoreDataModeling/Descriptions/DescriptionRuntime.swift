/// Holds what a higher module computes of a model or an entity once, which the description then owns.
package final class DescriptionRuntime: @unchecked Sendable {
    package let layout: AnyObject

    package init(_ layout: AnyObject) { self.layout = layout }
}
