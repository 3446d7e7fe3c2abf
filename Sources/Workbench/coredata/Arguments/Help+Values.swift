extension Help {
    /// The paragraphs of help about how values are written.
    static let values = [
        "Values by type: numbers with a decimal point; YES or NO; dates in ISO 8601, UTC where no zone is given; data "
            + "in base64; UUIDs and URIs as usual; transformable and composite ones as JSON; texts as they stand, so "
            + "that 'key=' is the empty text. In JSON values have the forms that 'fetch --format json' prints.",
        "key=@null is nil. '@@' at the start of a text stands for one '@'.",
        "A to-one relationship takes the address of an object. A to-many one takes addresses with commas, with or "
            + "without [ ], and leads to exactly these afterwards; += and -= add and take away. 'p7' is short for an "
            + "object of the entity that the relationship leads to.",
    ]
}
