/// An element of a document, with all that is in it.
package struct XMLNode: Sendable, Equatable {
    /// The qualified name: `forecast`, or `yweather:forecast` where the name has a prefix.
    package let name: String
    /// The attributes in their order, by their qualified names; declarations of namespaces are none of them.
    package internal(set) var attributes: [Attribute]
    /// The elements within, in their order.
    package internal(set) var children: [XMLNode] = []
    /// The text and the CDATA sections within, joined, without what the elements within have.
    package internal(set) var text = ""

    package struct Attribute: Sendable, Equatable {
        package let name: String
        package let value: String
    }
}
