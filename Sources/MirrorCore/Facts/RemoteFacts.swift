// What a server said of one entry before anything is fetched.

/// The outcome of asking for a file's size and state.
package struct RemoteFacts: Sendable, Equatable {
    /// Bytes; nil when the server does not say, or says it of a coded form.
    package var size: Int64?
    package var validators: Validators
    package var mediaType: String?
    /// The status of the last answer; nil where the protocol has none.
    package var status: Int?
    /// The file name that the server suggests, not yet judged.
    package var suggestedName: String?
    /// Why the file cannot be had.
    package var failure: Failure?
    /// What the server said to every question where it gave no facts. A plain GET may still be answered.
    package var refusal: Failure?
    /// How many requests it took to learn this.
    package var requests: Int
    /// The URL that answered, without secrets, where the entry has several: its validators are its own.
    package var url: String?
    /// Whether the server sends the request on to the same URL with a slash at its end: it is a folder.
    package var isFolder = false

    package init(
        size: Int64? = nil, validators: Validators = Validators(), mediaType: String? = nil, status: Int? = nil,
        suggestedName: String? = nil, failure: Failure? = nil, refusal: Failure? = nil,
        requests: Int = 0, url: String? = nil
    ) {
        self.size = size
        self.validators = validators
        self.mediaType = mediaType
        self.status = status
        self.suggestedName = suggestedName
        self.failure = failure
        self.refusal = refusal
        self.requests = requests
        self.url = url
    }
}
